import { chromium, type LaunchOptions } from '@playwright/test'

/** The system's Chromium, which keeps to itself. The test run names the one it found. */
export const chromiumOptions: LaunchOptions = {
  executablePath: process.env.TRUNKLINE_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export const openBrowser = () => chromium.launch(chromiumOptions)
