import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['domain/**/*.test.ts', 'contract/**/*.test.ts', 'checks/**/*.test.ts', 'web/src/**/*.test.ts'],
        },
      },
    ],
  },
})
