import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { writeWav } from '../../media/wav.ts'
import { mediaTarget } from '../../sandbox/carriers/sip-message.ts'
import { openSoundEnd, type SoundEnd } from '../../sip/test/sound-end.ts'
import { withMicrophone } from './browser.ts'
import { signIn } from './calls.ts'
import { test as base, expect, keepConnections } from './phone.ts'
import { CARRIER, type Dialed, openPublicNetwork, type PublicNetwork } from './public-network.ts'
import type { Person } from './story.ts'
import { heardInBrowser, listenInBrowser, speechOf } from './voices.ts'

/** Stories whose parties hear each other. Each plays its own tone signature, so that a listener recognizes who speaks. */
export const CALLER = 12
export const BROWSER = 20

/** Dollars per minute. A second is no whole number of micro-dollars. */
export const PRICE = 0.01

/** Call control learns of settings and passwords a moment after the portal has saved them, so the first call may not know them. */
export const MAX_CALLS = 3

export const test = base.extend<{ network: PublicNetwork; sound: SoundEnd }, { microphone: string }>({
  microphone: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'microphone-'))
      const file = join(folder, 'speech.wav')
      await writeFile(file, writeWav([speechOf(BROWSER)]))
      await use(file)
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ microphone }, use) => {
      const args = [...(withMicrophone.args ?? []), `--use-file-for-fake-audio-capture=${microphone}`]
      await use({ ...withMicrophone, args })
    },
    { scope: 'worker' },
  ],
  network: async ({ request, portal, caller }, use) => {
    const network = await openPublicNetwork(request, portal, caller, PRICE)
    await use(network)
    network.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
  sound: async ({}, use) => {
    const sound = await openSoundEnd(CARRIER)
    sound.plays(CALLER)
    await use(sound)
    sound.close()
  },
})
export const cardOf = (page: Page): Locator => page.getByRole('region', { name: 'Incoming call' })

/** Signs in to a browser that rings for calls. */
export async function receiveCalls(page: Page, customer: Person): Promise<void> {
  await keepConnections(page)
  await signIn(page, customer)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Phone: Receives calls' })).toBeVisible()
}

/** A call from outside that the browser has answered. The browser hears the caller. */
export async function answerInBrowser(page: Page, network: PublicNetwork, sound: SoundEnd): Promise<Dialed> {
  const call = await network.dial(undefined, sound.describe)
  await cardOf(page).getByRole('button', { name: 'Answer' }).click()
  const answer = await call.ended
  expect(answer.status).toBe(200)
  sound.aim(mediaTarget(answer.body))
  await listenInBrowser(page)
  await expect.poll(() => heardInBrowser(page), { message: 'the caller in the browser' }).toContain(CALLER)
  return call
}
