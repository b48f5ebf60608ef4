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

/** One with a microphone that makes a tone, for the phone in the portal. */
export const withMicrophone: LaunchOptions = {
  ...chromiumOptions,
  args: [
    ...(chromiumOptions.args ?? []),
    ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    '--allow-loopback-in-peer-connection',
  ],
}

export const openBrowser = (options = chromiumOptions) => chromium.launch(options)
