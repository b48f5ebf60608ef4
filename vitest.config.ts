import { defineConfig } from 'vitest/config'
import { LongestFirst } from './server/test/longest-first.ts'

export default defineConfig({
  test: {
    // The default leaves a core free for watching; on two cores that would run one file at a time.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'domain/**/*.test.ts',
            'contract/**/*.test.ts',
            'checks/**/*.test.ts',
            'web/src/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          // A worker reads the program once, not once for every file: no test changes a module.
          isolate: false,
          // What is waited for comes when it comes: a busy machine is no failure.
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'sandbox', include: ['sandbox/**/*.test.ts'], testTimeout: 30_000 } },
      // A real Kamailio, rtpengine and SIPp on the loopback.
      {
        test: { name: 'sip', include: ['sip/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      // Whole portals are started and killed here, and first starts may build the web app.
      {
        test: {
          name: 'launcher',
          include: ['launcher/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
