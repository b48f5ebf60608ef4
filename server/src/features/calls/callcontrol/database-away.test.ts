import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { asServerOwner } from '../../../../test/database.ts'
import { withSingleHolds } from '../../../../test/ledger.ts'
import {
  createProviderWithCustomer,
  type createSmallProvider,
  systemOwner,
  usd,
} from '../../../../test/telephony.ts'
import { createPacing } from './pacing.ts'

type Provider = Awaited<ReturnType<typeof createSmallProvider>>

const nameOf = ({ databaseUrl }: Provider) => new URL(databaseUrl).pathname.slice(1)

/** Rejects new database connections and terminates the existing ones. */
async function shut(phone: Provider): Promise<void> {
  const name = nameOf(phone)
  await asServerOwner(`alter database ${name} allow_connections false`)
  await asServerOwner(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}

/** Terminated connections of the pool fail at their next use, so each of them is used once. */
async function reopen(phone: Provider): Promise<void> {
  await asServerOwner(`alter database ${nameOf(phone)} allow_connections true`)
  const useAll = () => Array.from({ length: 20 }, () => sql`select pg_sleep(0.05)`.execute(phone.db))
  await phone.waitUntil(async () =>
    (await Promise.allSettled(useAll())).every(({ status }) => status === 'fulfilled'),
  )
}

async function tickFor(phone: Provider, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    phone.switchClock.advance(1_000)
    for (const control of phone.controls) await control.tick()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

it('refuses every call while the database is down, and loses nothing of the live calls', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.guard(id, { max_calls_per_second: 1_000 })
  const control = await phone.startControl()
  const short = await phone.place({ user: username, talkMs: 20_000 })
  const long = await phone.place({ user: username, talkMs: 90_000 })
  await phone.advance(10, 5)
  await shut(phone)
  const refused = await phone.place({ user: username })
  expect(refused.record).toMatchObject({ decision: 'refused', code: 503, reason: 'unavailable' })
  await tickFor(phone, 20)
  expect((await phone.place({ user: username })).record).toMatchObject({ code: 503, reason: 'unavailable' })
  expect(control.status()).toMatchObject({ isTrusted: false, refusalsWaiting: 2 })
  expect(phone.switch.kept().map(({ type }) => type)).toEqual(['ended'])
  await reopen(phone)
  await phone.waitUntil(async () => {
    await tickFor(phone, 1)
    return control.status().isTrusted && phone.switch.kept().length === 0
  })
  await phone.advance(90)
  expect(await phone.cdrOf(short.call)).toMatchObject({ seconds: 20, cost_micros: 20_000n })
  // Extended after the database came back, or ended by the switch after its covered seconds.
  expect(await phone.cdrOf(long.call)).toMatchObject({ seconds: long.record.seconds, status: 'completed' })
  expect(await phone.cdrOf(refused.call)).toMatchObject({ status: 'refused', reason: 'unavailable' })
  expect(await phone.liveRows()).toEqual([])
  expect((await phone.balanceOf(id)).heldMicros).toBe(0n)
  expect(await phone.faults()).toEqual([])
})

it('soon releases the hold of a call that was refused because the database went down', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.startControl()
  const live = await phone.place({ user: username })
  await phone.advance(2)
  await shut(phone)
  const { call, record } = await phone.place({ user: username })
  expect(record).toMatchObject({ decision: 'refused', reason: 'unavailable' })
  await reopen(phone)
  // The commit succeeded, but its confirmation was lost.
  const callId = `sw1/${call}`
  const startedAt = new Date(record.startedAt)
  await withSingleHolds(phone.ledger, phone.db).placeHold(systemOwner, {
    holdId: callId,
    userId: id,
    amountMicros: usd(0.06),
  })
  await sql`
    insert into live_calls
    select (jsonb_populate_record(l, jsonb_build_object('call_id', ${callId}::text, 'started_at', ${startedAt}::timestamptz,
             'state', 'authorized', 'answered_at', null, 'trunk_id', null))).* from live_calls as l`.execute(
    phone.db,
  )
  await phone.advance(36)
  expect(await phone.liveRows()).toMatchObject([{ call_id: `sw1/${live.call}` }])
  // The record is the refusal or the failed call, whichever is written first.
  expect(await phone.cdrOf(call)).toMatchObject({ answered_at: null, seconds: 0, cost_micros: 0n })
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(5), heldMicros: usd(0.06) })
  expect(await phone.faults()).toEqual([])
})

it('does not start without a loaded catalog', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(5), { sliceSeconds: 1_800 })
  const before = await phone.startControl()
  const live = await phone.place({ user: username })
  await phone.settle()
  await before.close()
  await shut(phone)
  await phone.startControl()
  expect((await phone.place({ user: username })).record).toMatchObject({ code: 503, reason: 'unavailable' })
  await reopen(phone)
  await phone.waitUntil(async () => {
    await tickFor(phone, 1)
    return (await phone.place({ user: username })).record.decision === 'allowed'
  })
  expect(live.record).toMatchObject({ answeredAt: expect.anything(), endedAt: null })
})

/** Locks an account until `release`, like a slow statement. */
async function lockAccount(phone: Provider, userId: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: phone.databaseUrl })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query('select from accounts where user_id = $1 for update', [userId])
  return async () => {
    await client.query('rollback')
  }
}

it('refuses in time, and releases a hold that came too late', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5), { answerWithinMs: 100 })
  await phone.startControl()
  const unlock = await lockAccount(phone, id)
  const { call, record } = await phone.place({ user: username })
  expect(record).toMatchObject({ decision: 'refused', code: 503, reason: 'unavailable' })
  await unlock()
  await phone.waitUntil(async () => (await phone.cdrs()).length > 0)
  expect(await phone.cdrOf(call)).toMatchObject({ status: 'refused', reason: 'unavailable', cost_micros: 0n })
  expect(await phone.liveRows()).toEqual([])
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(5), heldMicros: 0n })
  expect(await phone.faults()).toEqual([])
})

it('refuses immediately when the answer would be late', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5), { answerWithinMs: 400 })
  const control = await phone.startControl()
  const unlock = await lockAccount(phone, id)
  const first = phone.place({ user: username })
  await phone.waitUntil(() => control.status().waiting > 0)
  await new Promise((resolve) => setTimeout(resolve, 250))
  const second = await phone.place({ user: username })
  expect(second.record).toMatchObject({ code: 503, reason: 'overloaded' })
  await unlock()
  await first
  await phone.waitUntil(async () => (await phone.cdrs()).some(({ reason }) => reason === 'overloaded'))
  expect(await phone.cdrOf(second.call)).toMatchObject({ status: 'refused', reason: 'overloaded' })
})

it('estimates the wait from the queue length and the batch duration', async () => {
  let now = 0
  const pacing = createPacing(() => now, { atOnce: 100, withinMs: 400 })
  const waiters: Promise<void>[] = []
  const wait = (count: number) => {
    for (let index = 0; index < count; index++) waiters.push(pacing.wait(() => new Promise(() => {})))
  }
  expect(pacing.isTooMuch()).toBe(false)
  for (let batch = 0; batch < 20; batch++)
    await pacing.measure(async () => {
      now += 100
    })
  wait(290)
  expect(pacing.isTooMuch()).toBe(false)
  wait(20)
  expect(pacing.isTooMuch()).toBe(true)
  expect(pacing.waiting()).toBe(310)
})
