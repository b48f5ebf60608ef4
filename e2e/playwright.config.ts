import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './support/browser.ts'

/** Stories through the real browser against a real portal, started by the two commands' own launcher. */
export default defineConfig({
  testDir: 'stories',
  testMatch: '*.story.ts',
  globalSetup: './support/start-portal.ts',
  outputDir: '../test-results',
  // Stories wait a good deal, for screens, timers and calls: a third fills the two cores.
  workers: 3,
  forbidOnly: true,
  retries: 0,
  // What a busy machine may take; one that has time waits no longer than it must.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: chromiumOptions,
    // What is at rest is not drawn sixty times a second: a fifth less processor time. Where motion matters stories ask for it.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
