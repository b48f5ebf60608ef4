import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './support/browser.ts'

/** Stories through the real browser against a real portal, started by the two commands' own launcher. */
export default defineConfig({
  testDir: 'stories',
  testMatch: '*.story.ts',
  globalSetup: './support/start-portal.ts',
  outputDir: '../test-results',
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // What a busy machine may take; one that has time waits no longer than it must.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: chromiumOptions,
  },
})
