import type { FromSwitchOf, SwitchEvent, ToSwitchOf, TrunkAttempt } from '@trunkline/contract/switch-protocol'
import type { Micros } from '@trunkline/domain/money'
import { type Destination, defaultPlan, type RentalState, type RingPlan } from '@trunkline/domain/ringing'
import { type Clock, DAY, later } from '../src/platform/clock.ts'
import type { Database } from '../src/platform/database.ts'
import { startPlainSwitch } from './plain-switch.ts'
import { type Customer, createSmallProvider, type Telephony, usd } from './telephony.ts'

/** The address of the carrier that sends calls. */
export const CARRIER_ADDRESS = '198.51.100.9'
export const CALLER = '4930901820'

type Without<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never
type NewEvent = Without<SwitchEvent, 'id'>
type Leg = { call: string; trunk: number; attempts?: TrunkAttempt[] }

export const planTo = (destination: Destination, fallback: Destination | null = null): RingPlan => ({
  ...defaultPlan('UTC'),
  destination,
  fallback,
})
export const forwardTo = (number: string, callerId: 'number' | 'caller' = 'number'): Destination => ({
  kind: 'number',
  number,
  callerId,
  seconds: 30,
})

/** A number at 1.2 cents per minute, or 200 micro-dollars per second; the carrier charges 0.6 cents. */
export async function rentNumber(
  { db, clock }: { db: Database; clock: Clock },
  customer: Pick<Customer, 'id'> | null,
  e164: string,
  given: {
    plan?: RingPlan
    price?: Micros
    trunkId?: number | null
    maxCalls?: number
    state?: RentalState
    records?: boolean
    status?: 'available' | 'blocked'
  } = {},
): Promise<number> {
  const price_micros = given.price ?? 12_000n
  const prices = { monthly_micros: 1_000_000n, setup_micros: 0n, price_micros }
  const { id } = await db
    .insertInto('numbers')
    .values({
      e164,
      country: 'GB',
      type: 'local',
      ...prices,
      cost_micros: 6_000n,
      trunk_id: given.trunkId ?? null,
      max_calls: given.maxCalls ?? 10,
      status: customer ? 'rented' : (given.status ?? 'available'),
      user_id: customer?.id ?? null,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (customer)
    await db
      .insertInto('number_rentals')
      .values({
        number_id: id,
        e164,
        user_id: customer.id,
        ...prices,
        state: given.state ?? 'active',
        overdue_since: given.state === 'suspended' ? clock.now() : null,
        suspended_at: given.state === 'suspended' ? clock.now() : null,
        started_at: clock.now(),
        periods: 1,
        paid_until: later(clock.now(), 30 * DAY),
        records: given.records ?? false,
        ring_plan: JSON.stringify(given.plan ?? defaultPlan('UTC')),
        request_key: `test-${id}`,
      })
      .execute()
  return id
}

/** Of a SIP password. */
export const HASHES = { ha1_md5: 'a'.repeat(32), ha1_sha256: 'b'.repeat(64) }

/** A browser phone of a customer that expires after some time. */
export async function openBrowser(
  { db, clock }: Telephony,
  customer: Customer,
  name: string,
  lastsMs: number,
): Promise<void> {
  const now = clock.now()
  const session = await db
    .insertInto('sessions')
    .values({
      token_hash: Buffer.from(name),
      user_id: customer.id,
      address: '',
      user_agent: '',
      created_at: now,
      last_used_at: now,
      expires_at: later(now, DAY),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('phones')
    .values({
      name,
      session_id: session.id,
      user_id: customer.id,
      token_hash: Buffer.from(`token of ${name}`),
      realm: 'trunkline',
      ...HASHES,
      made_at: now,
      expires_at: later(now, lastsMs),
    })
    .execute()
}

/** A scripted switch that asks for legs and reports their events. */
export async function startLegSwitch(phone: Telephony, id = 'legs', sip?: string) {
  const box = await startPlainSwitch(id, sip)
  let events = 0
  let calls = 0
  const now = () => phone.switchClock.now()

  type Asked = Partial<FromSwitchOf<'authorize'>> & { to: string }
  async function answerTo(call: string): Promise<ToSwitchOf<'allow'> | ToSwitchOf<'refuse'>> {
    const find = () => [...box.all('allow'), ...box.all('refuse')].find((answer) => answer.call === call)
    await phone.waitUntil(() => find() !== undefined)
    return find() as ToSwitchOf<'allow'>
  }

  const ask = (asked: Asked) => {
    const call = asked.call ?? `c${++calls}`
    box.say({ type: 'authorize', at: now(), address: CARRIER_ADDRESS, ...asked, call })
    return { call, answer: answerTo(call) }
  }
  async function allowed(asked: Asked): Promise<ToSwitchOf<'allow'>> {
    const answer = await ask(asked).answer
    if (answer.type !== 'allow') throw new Error(`refused: ${answer.reason}`)
    return answer
  }
  async function refused(asked: Asked): Promise<{ code: number; reason: string }> {
    const answer = await ask(asked).answer
    if (answer.type !== 'refuse') throw new Error('allowed')
    return { code: answer.code, reason: answer.reason }
  }
  /** Says an event, perhaps several times, until each call control has committed it. */
  async function emit(event: NewEvent, copies = 1): Promise<void> {
    const one = { ...event, id: `e${++events}` } as SwitchEvent
    for (let copy = 0; copy < copies; copy++) box.say(one)
    await phone.waitUntil(() => box.all('ack').some(({ ids }) => ids.includes(one.id)))
  }

  return {
    ...box,
    ask,
    allowed,
    refused,
    emit,
    /** A call from the carrier to one of our numbers. */
    incoming: (to: string, asked: Partial<Asked> = {}) =>
      allowed({ direction: 'in', from: `+${CALLER}`, ...asked, to }),
    /** The leg that the first target of a plan with `next` requests. */
    async nextLeg(before: ToSwitchOf<'allow'>, asked: Partial<Asked> = {}) {
      const target = before.plan?.find(({ next }) => next)
      if (!target?.next) throw new Error('the plan requests no leg')
      const leg = await allowed({ ...target.next, parent: before.call, hops: 1, ...asked })
      return { leg, target: target.id }
    },
    answer: (call: string, trunk: number, legs: Leg[] = []) =>
      emit({ type: 'answered', call, at: now(), trunk, legs: legs.map(withAttempts) }),
    fail: (call: string, code: number, by: 'caller' | 'carrier' = 'carrier', attempts: TrunkAttempt[] = []) =>
      emit({ type: 'failed', call, at: now(), code, by, attempts }),
    end: (
      call: string,
      given: {
        seconds: number
        trunk: number
        legs?: Leg[]
        by?: 'caller' | 'callee' | 'timeout' | 'control'
      },
      copies = 1,
    ) =>
      emit(
        {
          type: 'ended',
          call,
          at: now() + given.seconds * 1000,
          answeredAt: now(),
          trunk: given.trunk,
          by: given.by ?? 'caller',
          attempts: [{ trunk: given.trunk, code: 200, reason: 'OK' }],
          legs: (given.legs ?? []).map(withAttempts),
        },
        copies,
      ),
  }
}

const withAttempts = ({ attempts = [], ...leg }: Leg) => ({ ...leg, attempts })

/** A provider whose carrier sends calls, with one call control on a scripted switch. */
export async function createIncomingProvider(options: Parameters<typeof createSmallProvider>[0] = {}) {
  const phone = await createSmallProvider(options)
  await phone.db
    .updateTable('trunks')
    .set({ incoming_sources: [CARRIER_ADDRESS], incoming_country: 'GB' })
    .where('id', '=', phone.trunkId)
    .execute()
  const box = await startLegSwitch(phone)
  return { phone, box, startControl: () => phone.startControl([box]) }
}

/** The same with a customer who can rent numbers. */
export async function createProviderWithOwner(
  balanceMicros = usd(1),
  options: Parameters<typeof createSmallProvider>[0] = {},
) {
  const provider = await createIncomingProvider(options)
  const { phone } = provider
  return { ...provider, owner: await phone.newCustomer(balanceMicros, phone.routeId) }
}
