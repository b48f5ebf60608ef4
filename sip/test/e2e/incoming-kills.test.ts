import { setTimeout as pause } from 'node:timers/promises'
import { dollars, micros } from '@trunkline/domain/money'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCarrier } from '../../../sandbox/carriers/carrier.ts'
import type { DialedCall } from '../../../sandbox/public-network/caller.ts'
import { watchStops } from '../eventually.ts'
import { disastersOf, toleranceOf } from './disasters.ts'
import { networkForFile, providerForFile } from './for-file.ts'
import { LIMITLESS, planOf, toNumber, toPbx } from './incoming-calls.ts'
import { type Customer, LONDON, PER_SECOND, until } from './provider.ts'

/** Of each kind: half of the calls end during the outage, the others after it. */
const CALLS_OF_EACH = 8
const UNANSWERED_OF_EACH = 4
const NEVER_ANSWERED = '442079460177'
/** The carrier itself ends its calls, because a kill of Kamailio can leave the carrier alone with an answer. */
const ANSWERS_BRIEFLY = '442079460188'

const provider = await providerForFile()
const network = await networkForFile(provider)
let stops: ReturnType<typeof watchStops>
beforeEach(() => {
  stops = watchStops()
  return stops.close
})
afterEach(() => provider.db.deleteFrom('trusted_addresses').execute())

const disasters = disastersOf(() => provider, 4_000)

/** Numbers by the state of their calls at the kill. Those of the last two wait for a forwarded leg or are being set up. */
const direct = '442079462001'
const forwarded = '442079462002'
const ringing = '442079462003'
const ringingAway = '442079462004'
const waiting = '442079462005'
const starting = '442079462006'

async function startCallees() {
  const carrier = await startCarrier({
    behaviorOf: (number) => {
      if (number === NEVER_ANSWERED) return { kind: 'rings' }
      if (number === ANSWERS_BRIEFLY) return { kind: 'echo', ringMs: 50, hangUpAfterMs: 3_000 }
      return { kind: 'echo', ringMs: 50 }
    },
  })
  provider.harness.keep(carrier)
  const pbx = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  const slowPbx = await provider.harness.carrier({ kind: 'rings' })
  return { carrier, pbx, slowPbx }
}
type Callees = Awaited<ReturnType<typeof startCallees>>

async function newNumbers(owner: Customer, { pbx, slowPbx }: Callees): Promise<void> {
  const plans = {
    [direct]: planOf(toPbx(pbx.port, 20)),
    [forwarded]: planOf(toNumber(LONDON, 20)),
    [ringing]: planOf(toPbx(slowPbx.port, 120)),
    [ringingAway]: planOf(toNumber(NEVER_ANSWERED, 120)),
    // Its second leg is requested during the outage.
    [waiting]: planOf(toPbx(slowPbx.port, 2), toNumber(ANSWERS_BRIEFLY, 20)),
    [starting]: planOf(toNumber(ANSWERS_BRIEFLY, 20)),
  }
  await provider.setAddress(owner, '127.0.0.1', 'approved')
  for (const [number, plan] of Object.entries(plans))
    await provider.newNumber(owner, number, { max_calls: 100, plan })
}

async function dial(number: string, count: number): Promise<DialedCall[]> {
  const calls: DialedCall[] = []
  for (let n = 0; n < count; n++) {
    const callerId = `+1202555${number.slice(-1)}${100 + n}`
    const wish = { number: `+${number}`, callerId, name: '', isWithheld: false, sound: 'tone' as const }
    calls.push((await network.dial(wish)) as DialedCall)
  }
  return calls
}

it.each(disasters)(
  'each leg of incoming, forwarded and internal calls has one correct record when %s',
  async (what, strike) => {
    const callees = await startCallees()
    const { carrier, pbx, slowPbx } = callees
    await provider.newTrunk(carrier, { incoming_sources: [`127.0.0.1:${network.port}`] })
    const owner = await provider.newCustomer({ balance: dollars(1_000) })
    const friend = await provider.newCustomer({ balance: dollars(1_000) })
    for (const { id } of [owner, friend]) await provider.guard(id, LIMITLESS)
    await newNumbers(owner, callees)
    await provider.settle()

    const answered = [...(await dial(direct, CALLS_OF_EACH)), ...(await dial(forwarded, CALLS_OF_EACH))]
    const unanswered = [
      ...(await dial(ringing, UNANSWERED_OF_EACH)),
      ...(await dial(ringingAway, UNANSWERED_OF_EACH)),
    ]
    const phone = await provider.harness.phone({ account: friend.account })
    const internal = []
    for (let n = 0; n < CALLS_OF_EACH; n++) {
      const call = await phone.call(direct)
      expect((await call.ended).status).toBe(200)
      internal.push(call)
    }
    await until(
      async () => {
        const states = (await provider.liveCalls()).map(({ state }) => state)
        const inState = (wanted: string) => states.filter((state) => state === wanted).length
        return inState('answered') === CALLS_OF_EACH * 5 && inState('ringing') === UNANSWERED_OF_EACH * 3
      },
      'live calls',
      60_000,
    )
    await until(async () => answered.every(({ state }) => state === 'answered'), 'answers', 60_000)
    const invites = () => slowPbx.requests.filter(({ method }) => method === 'INVITE').length
    const waitingCalls = await dial(waiting, UNANSWERED_OF_EACH)
    await until(async () => invites() === UNANSWERED_OF_EACH * 2, 'calls that wait for their forward')

    const incoming = [
      ...answered,
      ...unanswered,
      ...waitingCalls,
      ...(await dial(starting, UNANSWERED_OF_EACH)),
    ]
    const isEarly = (at: number) => at % 2 === 0
    const striking = strike()
    await pause(1_500)
    for (const [at, { id }] of [...answered, ...unanswered].entries()) if (isEarly(at)) network.hangUp(id)
    for (const [at, call] of internal.entries()) if (isEarly(at)) await call.hangUp()
    await striking
    await pause(2_000)
    for (const { id } of incoming) network.hangUp(id)
    for (const [at, call] of internal.entries()) if (!isEarly(at)) await call.hangUp()
    await until(async () => (await provider.liveCalls()).length === 0, 'end of all calls', 90_000)
    await until(async () => carrier.live() + pbx.live() === 0, 'end at the carrier and the PBX', 60_000)

    const records = await provider.cdrs(owner.id)
    const calls = await provider.cdrs(friend.id)
    const recordsOf = (number: string) => records.filter(({ destination }) => destination === number)
    /** The forwarded legs of these calls. */
    const furtherOf = (number: string) => {
      const parents = recordsOf(number).map(({ call_id }) => call_id)
      return records.filter(({ parent_call_id }) => parents.includes(parent_call_id ?? ''))
    }
    expect(calls).toHaveLength(CALLS_OF_EACH)
    expect(recordsOf(direct)).toHaveLength(CALLS_OF_EACH * 2)
    for (const legs of [recordsOf(forwarded), furtherOf(forwarded)]) expect(legs).toHaveLength(CALLS_OF_EACH)
    for (const { status } of [
      ...calls,
      ...recordsOf(direct),
      ...recordsOf(forwarded),
      ...furtherOf(forwarded),
    ])
      expect(status).toBe('completed')
    // Kamailio keeps answered calls over its restart, but not the transactions of ringing ones.
    const givenUp = what === 'Kamailio is killed' ? 'failed' : 'cancelled'
    for (const legs of [recordsOf(ringing), recordsOf(ringingAway), furtherOf(ringingAway)])
      expect(legs.map(({ status }) => status)).toEqual(Array(UNANSWERED_OF_EACH).fill(givenUp))
    expect(recordsOf(waiting)).toHaveLength(UNANSWERED_OF_EACH)
    // A call that is being set up may fail before it has a record.
    expect(recordsOf(starting).length).toBeLessThanOrEqual(UNANSWERED_OF_EACH)
    const parents = [...furtherOf(waiting), ...furtherOf(starting)].map(
      ({ parent_call_id }) => parent_call_id,
    )
    expect(new Set(parents).size).toBe(parents.length)

    for (const record of [...records, ...calls])
      expect(record.cost_micros).toBe(BigInt(record.seconds) * priceOf(record))
    for (const { caller_id, destination, seconds } of records)
      for (const { callerId, number, answeredAt, endedAt } of answered)
        if (callerId === `+${caller_id}` && number === `+${destination}`)
          expect(Math.abs(seconds - ((endedAt ?? 0) - (answeredAt ?? 0)) / 1_000)).toBeLessThan(
            toleranceOf(2, stops),
          )
    const charged = records.reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
    expect(await provider.balanceOf(owner.id)).toEqual({
      balanceMicros: micros(dollars(1_000) - charged),
      heldMicros: 0n,
    })
    expect(await provider.faults()).toEqual([])
  },
)

/** Calls between customers are free. */
const priceOf = ({ direction, parent_call_id, route_id }: Record<string, unknown>): bigint =>
  route_id === -2 || (direction === 'in' && parent_call_id !== null) ? 0n : PER_SECOND
