import { setTimeout as pause } from 'node:timers/promises'
import { mediaTarget } from '../../sandbox/carriers/sip-message.ts'
import { openSoundEnd } from '../../sip/test/sound-end.ts'
import { expect } from '../support/phone.ts'
import { answerInBrowser, BROWSER, receiveCalls, test } from '../support/voice-story.ts'
import { heardInBrowser } from '../support/voices.ts'

const STRANGER = 33
/** rtpengine learns the source address of a stream during this time. */
const LEARNING_MS = 4_000

test('packets of a stranger do not enter a call of the browser', async ({ page, caller, network, sound }) => {
  await receiveCalls(page, caller)
  const call = await answerInBrowser(page, network, sound)
  await pause(LEARNING_MS)

  // The stranger knows the port to which the browser sends.
  const described = await page.evaluate('window.callConnections.at(-1).remoteDescription.sdp')
  const stranger = await openSoundEnd('127.0.0.66')
  stranger.plays(STRANGER)
  sound.forget()
  stranger.aim(mediaTarget(String(described)))
  await pause(1_000)
  expect(stranger.sentSince(0)).toBeGreaterThan(0.5)
  await expect.poll(() => sound.hears(), { message: 'the browser at the caller' }).toContain(BROWSER)
  expect(sound.hears()).not.toContain(STRANGER)
  expect(await heardInBrowser(page)).not.toContain(STRANGER)
  await call.hangUp()
  stranger.close()
})
