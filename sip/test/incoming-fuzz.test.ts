import { expect, it } from 'vitest'
import { audioDescription, headerOf, tagOf, uriOf } from '../../sandbox/carriers/sip-message.ts'
import { startBystander } from './bystander.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, startHarness } from './harness.ts'
import { callOfCarrier, peerWithCarrier, phones, ringing } from './incoming-calls.ts'
import type { Forged } from './phone.ts'

const STEPS = Number(process.env.FUZZ_STEPS ?? 2_000)
const CALLS_AT_ONCE = 8
const COVERED_SECONDS = 4
const METHODS = [
  'BYE',
  'INVITE',
  'UPDATE',
  'INFO',
  'ACK',
  'CANCEL',
  'PRACK',
  'OPTIONS',
  'NOTIFY',
  'REFER',
  'NOSUCH',
]

/** Seeded random numbers, so that a failure can be reproduced. */
function randomFrom(seed: number) {
  let state = seed
  return <Item>(items: readonly Item[]): Item => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return items[Math.floor((state / 2 ** 32) * items.length)] as Item
  }
}

it(`${STEPS} random requests of a called phone leave no live leg of the carrier and reach no third party`, async () => {
  const oneOf = randomFrom(3261)
  const bystander = await startBystander('127.0.0.68')
  const harness = await startHarness({ workers: 4 })
  const pid = harness.running.kamailioPid()
  const evil = `sip:x@${bystander.host}:${bystander.port}`
  try {
    const peer = await peerWithCarrier(harness, () =>
      ringing([phones('alice')], { coveredSeconds: COVERED_SECONDS }),
    )
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    await phone.register()
    for (let step = 0; step < STEPS; ) {
      const calls = (
        await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => callOfCarrier(harness)))
      ).map(({ call }) => call)
      for (const call of calls) expect((await call.ended).status).toBe(200)
      for (let k = 0; k < 250; k++, step++) {
        const { callId } = oneOf(calls)
        const invite = phone.invites().find((received) => headerOf(received, 'call-id') === callId)
        if (!invite) throw new Error('no INVITE')
        const { from, to } = phone.namesIn(invite)
        const target = uriOf(headerOf(invite, 'contact'))
        const forged: Forged = {
          ...oneOf([
            {},
            {},
            { From: from, To: to },
            { To: `<${evil}>;tag=${tagOf(from)}` },
            { From: '<sip:x@y>;tag=z' },
          ]),
          uri: oneOf([
            target,
            target,
            evil,
            `${evil};transport=tcp`,
            `${target};maddr=${bystander.host}`,
            'tel:+1',
          ]),
          ...oneOf([{}, {}, { routes: [] }, { routes: [`<${evil};lr>`] }, { routes: ['<sip:'] }]),
          ...oneOf([{}, {}, { cseq: 0 }, { cseq: 1 }, { cseq: 2_147_483_647 }, { cseq: 4_294_967_295 }]),
          ...oneOf([{}, { Contact: `<${evil}>` }]),
        }
        const method = oneOf(METHODS)
        phone.requestIn(
          invite,
          method,
          forged,
          method === 'INVITE' ? audioDescription('127.0.0.1', 4_000) : '',
        )
      }
      // A BYE ends a call; the covered seconds end the others.
      for (const call of calls) await call.isHungUp()
      // Events can arrive twice.
      const ended = () => new Set(peer.all('ended').map(({ call }) => call)).size
      await eventually(() => ended() === peer.all('authorize').length, 'the end of all calls')
    }
    expect(bystander.contacts).toEqual([])
    expect(harness.running.kamailioPid()).toBe(pid)
  } finally {
    await harness.close()
    await bystander.close()
  }
})
