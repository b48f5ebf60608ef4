import { defineConfig } from '@playwright/test'
import { WORKERS } from '../launcher/test-workers.ts'
import { chromiumOptions } from './support/browser.ts'

/** Stories in a real browser against a portal that the launcher starts. */
export default defineConfig({
  testDir: 'stories',
  testMatch: '*.story.ts',
  globalSetup: './support/start-portal.ts',
  outputDir: '../test-results',
  workers: WORKERS,
  forbidOnly: true,
  retries: 0,
  // Generous for busy machines.
  timeout: 400_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // An action on a control that is missing does not wait for the end of the test.
    actionTimeout: 120_000,
    launchOptions: chromiumOptions,
    // Without animations stories use a fifth less CPU time. Stories about motion enable it.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
