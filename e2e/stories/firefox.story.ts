import { type Firefox, openFirefox } from '../support/firefox.ts'
import { test as base, expect } from '../support/phone.ts'
import { openPublicNetwork } from '../support/public-network.ts'

const test = base.extend<{ firefox: Firefox }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
  firefox: async ({}, use) => {
    const firefox = await openFirefox()
    await use(firefox)
    await firefox.close()
  },
})

/** Packets that the last call has received. */
const RECEIVED = `(async () => {
  const reports = [...(await window.callConnections.at(-1).getStats()).values()]
  return reports.find(({ type }) => type === 'inbound-rtp')?.packetsReceived ?? 0
})()`

test('the phone calls and rings in Firefox', async ({ firefox, portal, caller, request }) => {
  const network = await openPublicNetwork(request, portal, caller)
  await firefox.prepare(`
    window.callConnections = []
    const Original = window.RTCPeerConnection
    window.RTCPeerConnection = class extends Original {
      constructor(configuration) {
        super(configuration)
        window.callConnections.push(this)
      }
    }`)
  await firefox.goto(`${portal.url}/login`)
  await firefox.fill('Username', caller.username)
  await firefox.fill('Password', caller.password)
  await firefox.click('Sign In')
  await firefox.shows('Account Balance')

  await firefox.click('Phone: Receives calls')
  await firefox.fill('Number', '+442079460958')
  await firefox.click('Call')
  await firefox.shows('In a call')
  await expect.poll(() => firefox.evaluate<number>(RECEIVED)).toBeGreaterThan(30)
  await firefox.click('Hang up')
  await firefox.click('Done')

  const call = await network.dial()
  await firefox.shows('Paula')
  await firefox.click('Answer')
  expect((await call.ended).status).toBe(200)
  await expect
    .poll(async () => {
      call.speech.say(20)
      return await firefox.evaluate<number>(RECEIVED)
    })
    .toBeGreaterThan(30)
  await expect.poll(() => call.speech.heard()).toBeGreaterThan(30)
  await firefox.click('Hang up')
  await call.isHungUp()
  network.close()
})
