import { createSocket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tonePacket } from '../../sandbox/carriers/media.ts'
import { mediaTarget } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, type Harness, startHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.close())

/** rtpengine learns the source address of a stream during this time. */
const LEARNING_MS = 4_000

it.each([
  ['sends its own address', {}],
  ['is behind NAT', { claims: '10.99.1.2:5060' }],
])('drops RTP from a third address in the call of a phone that %s', async (_what, options) => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
  await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const phone = await harness.phone({ account: alice, ...options })
  const call = await phone.call('442071234567')
  const answer = await call.ended
  expect(answer.status).toBe(200)
  for (const until = Date.now() + LEARNING_MS; Date.now() < until; await pause(50)) call.speech.say(1)
  const isQuiet = async () => {
    const heard = call.speech.heard()
    await pause(500)
    return call.speech.heard() === heard
  }
  await eventually(isQuiet, 'the last echoes')
  const before = call.speech.heard()
  expect(before).toBeGreaterThan(10)

  const intruder = createSocket('udp4')
  await new Promise<void>((resolve) => intruder.bind(0, '127.0.0.66', resolve))
  const target = mediaTarget(answer.body)
  for (let count = 0; count < 50; count++)
    intruder.send(tonePacket(1_000 + count), target?.port ?? 0, target?.address)
  await pause(500)
  intruder.close()
  // Some echoed packets of the phone were in transit at the time of the count.
  const after = call.speech.heard()
  expect(after).toBeLessThan(before + 10)
  // A busy machine may drop a packet, so more are sent until five are echoed.
  await eventually(() => {
    call.speech.say(1)
    return call.speech.heard() >= after + 5
  }, 'echo')
  expect((await call.hangUp()).status).toBe(200)
})
