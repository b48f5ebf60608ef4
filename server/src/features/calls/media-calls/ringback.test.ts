import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encode } from '@trunkline/media/encode'
import type { IncomingCall } from '@trunkline/media/endpoint'
import { ringbackSeconds, signature } from '@trunkline/media/tones'
import { expect, it } from 'vitest'
import { atEnd, forAll } from '../../../../test/lifetime.ts'
import { createMedia, type MediaCall, pathOf, queueOf, stepOf } from '../../../../test/media.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  const web = createServer(() => {})
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    web.closeAllConnections()
    web.close()
  })
  return {
    media,
    server: await media.start(),
    silentUrl: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
  }
})

const phones = { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] } as const

const hearsRingback = (call: MediaCall) =>
  expect.poll(() => ringbackSeconds(call.sound())).toBeGreaterThan(0.2)

it('plays a ringback tone while a leg rings, and connects both sides without it', async () => {
  const { media, server } = setup()
  const userId = await media.newUser()
  await media.allowRecording(userId)
  // A recorded conversation stays in the media process.
  const id = await media.newFlow(userId, [
    stepOf('record', 'record', { turn: 'on', announcement: null }, { next: 'forward' }),
    stepOf('forward', 'forward', { number: '+442079460123', callerId: 'number', seconds: 20 }),
  ])
  const rung = Promise.withResolvers<IncomingCall>()
  media.answerLegs(rung.resolve)
  const call = await media.call(server, { id, userId })
  const leg = await rung.promise
  expect(ringbackSeconds(call.sound())).toBe(0)
  leg.ring()
  await hearsRingback(call)
  const other = await leg.answer()
  other.play(encode(signature(20, 1_000)))
  // A tone that goes on would take the place of the other side's sound.
  await expect.poll(call.heard).toContain(20)
  other.hangUp()
  expect(pathOf(await media.ended(call))).toEqual(['record: next', 'forward: null', 'ended: conversation'])
})

it('stops the ringback tone when nobody answers, also before a silent step', async () => {
  const { media, server, silentUrl } = setup()
  const userId = await media.newUser()
  const id = await media.newFlow(userId, [
    stepOf('ring', 'ring', { destination: phones }, { no_answer: 'ask' }),
    stepOf('http', 'ask', { url: silentUrl, seconds: 6, saves: [] }, { timeout: 'nobody' }),
    stepOf('play', 'nobody', { sound: await media.newSound(userId, 1) }),
  ])
  const rung = Promise.withResolvers<IncomingCall>()
  media.answerLegs(rung.resolve)
  const call = await media.call(server, { id, userId })
  const leg = await rung.promise
  leg.ring()
  await hearsRingback(call)
  leg.reject(480, 'Temporarily Unavailable')
  await expect.poll(call.heard).toContain(1)
  expect(pathOf(await media.ended(call))).toEqual([
    'ring: no_answer',
    'ask: timeout',
    'nobody: next',
    'ended: no_exit',
  ])
  // The next tone would have begun after five seconds.
  expect(ringbackSeconds(call.sound())).toBeLessThan(1.2)
})

it('keeps the music of a queue while its phones ring', async () => {
  const { media, server } = setup()
  const userId = await media.newUser()
  const id = await media.newFlow(userId, [
    queueOf('queue', { music: await media.newSound(userId, 5, 1_000) }),
  ])
  let rings = 0
  media.answerLegs((leg) => {
    leg.ring()
    rings++
  })
  const call = await media.call(server, { id, userId })
  await expect.poll(() => rings).toBe(1)
  const before = call.sound().length
  await expect.poll(() => call.sound().length).toBeGreaterThan(before + 2 * 8_000)
  expect(ringbackSeconds(call.sound())).toBe(0)
  expect(new Set(call.heard())).toEqual(new Set([5]))
  call.conversation.hangUp()
  await media.ended(call)
})
