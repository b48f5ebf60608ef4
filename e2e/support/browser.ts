import { chromium, type LaunchOptions } from '@playwright/test'

/** The Chromium of the system, without background requests. */
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

/** With a fake microphone that plays a tone, for the web phone. */
export const withMicrophone: LaunchOptions = {
  ...chromiumOptions,
  args: [
    ...(chromiumOptions.args ?? []),
    ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    '--allow-loopback-in-peer-connection',
  ],
}

export const openBrowser = (options = chromiumOptions) => chromium.launch(options)
