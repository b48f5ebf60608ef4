import { dollars, micros } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import type { DialedCall } from '../../../sandbox/public-network/caller.ts'
import { networkForFile, providerForFile } from './for-file.ts'
import { LIMITLESS, planOf, reaches, recordsAfter, toNumber } from './incoming-calls.ts'
import { type Customer, LONDON, PER_SECOND, until } from './provider.ts'

/** Forwards that share a balance or lead in a circle, with the real switch, call control and database. */
const provider = await providerForFile()
const network = await networkForFile(provider)

const CALLS = 200
/** For an incoming second. 200 incoming calls hold an eighth of the balance. */
const IN_PER_SECOND = 10n

it(`never overspends one balance with ${CALLS} parallel forwards`, async () => {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  await provider.newTrunk(carrier, network.sources)
  const owner = await provider.newCustomer({ balance: dollars(1) })
  await provider.guard(owner.id, LIMITLESS)
  const number = '442079463001'
  const price_micros = IN_PER_SECOND * 60n
  await provider.newNumber(owner, number, { max_calls: 1_000, price_micros, plan: planOf(toNumber(LONDON)) })
  await provider.settle()

  const calls: DialedCall[] = []
  for (let n = 0; n < CALLS; n++) calls.push(await network.call(number))
  /** The balance without the holds, at different times. */
  const available: bigint[] = []
  const isDecided = ({ state }: DialedCall) => state === 'answered' || state === 'ended'
  await until(async () => {
    const { balanceMicros, heldMicros } = await provider.balanceOf(owner.id)
    available.push(balanceMicros - heldMicros)
    return calls.every(isDecided)
  }, 'a decision about each call')
  for (const { id } of calls) network.hangUp(id)
  const records = await recordsAfter(provider, [owner])

  expect(available.filter((amount) => amount < 0n)).toEqual([])

  // Every answered call rang at the carrier, and no other call did.
  const answered = calls.filter(({ answeredAt }) => answeredAt !== null)
  const invites = carrier.requests.filter(({ method }) => method === 'INVITE')
  expect(invites).toHaveLength(answered.length)
  for (const wanted of ['in', 'out'])
    expect(
      records.filter(({ direction, status }) => direction === wanted && status === 'completed'),
    ).toHaveLength(answered.length)
  // The balance covers the first minute of at least 14 forwards.
  expect(answered.length).toBeGreaterThanOrEqual(14)
  expect(answered.length).toBeLessThan(CALLS)

  for (const { direction, seconds, cost_micros } of records)
    expect(cost_micros).toBe(BigInt(seconds) * (direction === 'in' ? IN_PER_SECOND : PER_SECOND))
  const charged = records.reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
  expect(await provider.balanceOf(owner.id)).toEqual({
    balanceMicros: micros(dollars(1) - charged),
    heldMicros: 0n,
  })
  expect(await provider.faults()).toEqual([])
})

it.each([
  { count: 2, end: 'the number that is already in the call', legs: 5, last: { direction: 'in' } },
  { count: 3, end: 'the limit of hops', legs: 6, last: { direction: 'out' } },
])('ends a circle of $count numbers at $end and charges nothing', async ({ count, legs, last }) => {
  const carrier = await provider.harness.carrier({ kind: 'echo' })
  await provider.newTrunk(carrier, network.sources)
  const numbers = Array.from({ length: count }, (_, index) => `4420794632${count}${index}`)
  const owners: Customer[] = []
  for (const [index, number] of numbers.entries()) {
    const owner = await provider.newCustomer()
    const next = numbers[(index + 1) % count] as string
    await provider.newNumber(owner, number, { plan: planOf(toNumber(next)) })
    owners.push(owner)
  }
  await provider.settle()

  const call = await network.call(numbers[0] as string)
  await reaches(call, 'ended')
  // Call control writes the record of a refusal after its answer.
  const records = await until(async () => {
    const found = await recordsAfter(provider, owners)
    return found.length >= legs && found
  }, 'a record of each leg')
  expect(call.code).toBe(482)
  expect(records).toHaveLength(legs)
  const refused = records.filter(({ status }) => status === 'refused')
  expect(refused).toMatchObject([{ reason: 'call_loop', sip_code: 482, ...last }])
  for (const { status } of records) expect(['refused', 'no-answer']).toContain(status)
  expect(carrier.requests.filter(({ method }) => method === 'INVITE')).toEqual([])
  for (const { id } of owners)
    expect(await provider.balanceOf(id)).toEqual({ balanceMicros: dollars(10), heldMicros: 0n })
  expect(await provider.faults()).toEqual([])
})
