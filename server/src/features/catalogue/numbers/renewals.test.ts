import { system } from '@trunkline/domain/access'
import { periodEnd } from '@trunkline/domain/rentals'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ask } from '../../../../test/database.ts'
import { atEnd } from '../../../../test/lifetime.ts'
import { createNumberShop, type NumberShop } from '../../../../test/numbers.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'
import { createTestRenewals } from '../../../../test/renewals.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { openDatabase } from '../../../platform/database.ts'
import { rentalMail } from './rental-mails.ts'

const START = '2026-01-31T10:00:00.000Z'

async function begin(hasWorker = false) {
  const shop = await createNumberShop({}, { startsAt: START, hasWorker })
  const rented = async (who: SignedIn, given: object = {}) => {
    const number = await shop.addNumber({ setup: 0, monthly: 2, ...given })
    const { answer, message } = await shop.rent(who, number)
    if (!answer.number) throw new Error(message)
    return answer.number.id
  }
  const run = () => shop.services.renewals.run()
  const after = async (ms: number) => {
    shop.clock.advance(ms)
    await run()
  }
  return { shop, rented, run, after }
}

const rentalOf = (shop: NumberShop, id: number) =>
  shop.services.db.selectFrom('number_rentals').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Alice has a balance and a number. */
async function beginRented(balance: number) {
  const { shop, ...begun } = await begin()
  await shop.topUp(shop.alice, balance)
  const id = await begun.rented(shop.alice)
  return { ...begun, shop, id, rental: () => rentalOf(shop, id) }
}

/** Rental mails that were queued, oldest first. */
const mailsOf = async (shop: NumberShop): Promise<string[]> => {
  const { rows } = await sql<{ kind: string }>`
    select data ->> 'kind' as kind from pgboss.job where name = 'send-rental-mail' order by created_on, id`.execute(
    shop.services.db,
  )
  return rows.map(({ kind }) => kind)
}

const openAlerts = async ({ services, root }: NumberShop) => {
  const caller = { userId: root.id, isAdmin: true }
  const page = { state: 'open', topic: 'number_rent', limit: 10 } as const
  return (await services.alertAdministration.list(caller, page)).alerts
}

it('books each month once, with the number and the period in the statement', async () => {
  const { shop, run, after } = await beginRented(100)
  await after(27 * DAY)
  expect(await shop.statement(shop.alice)).toHaveLength(1)
  await after(DAY)
  await run()
  await after(31 * DAY)
  expect(await shop.statement(shop.alice)).toMatchObject([
    { amount: -2, reference: '+442079460001, 2026-03-31 to 2026-04-30' },
    { amount: -2, reference: '+442079460001, 2026-02-28 to 2026-03-31' },
    { amount: -2, reference: '+442079460001, 2026-01-31 to 2026-02-28' },
  ])
  expect(await mailsOf(shop)).toEqual([])
})

it('warns once, then grace, suspension and release, each with a mail and an alert', async () => {
  const { shop, rental, run, after } = await beginRented(3)
  await after(25 * DAY)
  await after(HOUR)
  expect(await mailsOf(shop)).toEqual(['warning'])
  await after(3 * DAY)
  await run()
  expect(await mailsOf(shop)).toEqual(['warning', 'grace'])
  expect(await shop.own(shop.alice)).toMatchObject([
    {
      state: 'grace',
      paid_until: '2026-02-28T10:00:00.000Z',
      suspends_at: '2026-03-07T11:00:00.000Z',
      releases_at: '2026-03-21T11:00:00.000Z',
    },
  ])
  expect(await openAlerts(shop)).toMatchObject([
    { kind: 'renewal_failed', user: { username: 'alice' }, times: 1 },
  ])
  await after(7 * DAY - HOUR)
  expect((await rental()).state).toBe('grace')
  await after(HOUR)
  expect((await rental()).state).toBe('suspended')
  await after(14 * DAY)
  expect(await rental()).toMatchObject({ state: 'ended', end_reason: 'unpaid' })
  expect(await mailsOf(shop)).toEqual(['warning', 'grace', 'suspended', 'unpaid'])
  expect(await shop.own(shop.alice)).toEqual([])
  expect(await openAlerts(shop)).toMatchObject([{ times: 3, message: expect.stringContaining('released') }])
  const caller = { userId: shop.paula.id, isAdmin: false }
  const { numbers } = await shop.services.numbers.available(caller, { limit: 10 })
  expect(numbers).toMatchObject([{ number: '+442079460001' }])
  expect(await shop.balanceOf(shop.alice)).toBe(1)
})

it('renews the numbers that are due first if the balance does not cover all', async () => {
  const { shop, rented, after } = await begin()
  await shop.topUp(shop.alice, 4 + 2 + 2)
  const [first, second, third] = [
    await rented(shop.alice),
    await rented(shop.alice),
    await rented(shop.alice),
  ]
  // The order of the rows on disk does not decide.
  for (const id of [second, first])
    for (const seconds of [1, -1])
      await sql`update number_rentals set paid_until = paid_until + make_interval(secs => ${seconds}) where id = ${id}`.execute(
        shop.services.db,
      )
  await after(28 * DAY)
  const states = await Promise.all([first, second, third].map((id) => rentalOf(shop, id)))
  expect(states.map(({ state }) => state)).toEqual(['active', 'grace', 'grace'])
})

it('renews a number in grace after a top-up, from the end of the paid period', async () => {
  const { shop, rental, run, after } = await beginRented(2)
  await after(30 * DAY)
  expect((await rental()).state).toBe('grace')
  await shop.topUp(shop.alice, 5)
  await run()
  expect(await rental()).toMatchObject({
    state: 'active',
    overdue_since: null,
    periods: 2,
    paid_until: new Date('2026-03-31T10:00:00.000Z'),
  })
  expect(await shop.balanceOf(shop.alice)).toBe(3)
  expect(await openAlerts(shop)).toEqual([])
  expect(await mailsOf(shop)).toEqual(['grace', 'renewed'])
})

it('charges a suspended number for the current period only', async () => {
  const { shop, rental, run, after } = await beginRented(2)
  await shop.call('PUT /api/admin/number-settings', {
    token: shop.root.token,
    body: { internal_price: 0, warn_days: 3, grace_days: 1, suspended_days: 90 },
  })
  await after(28 * DAY)
  await after(DAY)
  expect((await rental()).state).toBe('suspended')
  await after(70 * DAY)
  await shop.topUp(shop.alice, 50)
  await run()
  expect(await rental()).toMatchObject({
    state: 'active',
    periods: 4,
    paid_until: new Date('2026-05-31T10:00:00.000Z'),
  })
  expect((await shop.statement(shop.alice)).map(({ reference }) => reference)).toEqual([
    '+442079460001, 2026-04-30 to 2026-05-31',
    '+442079460001, 2026-01-31 to 2026-02-28',
  ])
})

const setDisabled = async ({ services, clock }: NumberShop, { id }: SignedIn, isDisabled: boolean) =>
  services.db
    .updateTable('users')
    .set({ disabled_at: isDisabled ? clock.now() : null })
    .where('id', '=', id)
    .execute()

it('charges no rent to a disabled account: its number is suspended and released, whatever the balance', async () => {
  const { shop, rental, run, after } = await beginRented(100)
  await setDisabled(shop, shop.alice, true)
  await after(25 * DAY)
  await after(3 * DAY)
  await run()
  expect((await rental()).state).toBe('grace')
  expect(await openAlerts(shop)).toMatchObject([{ message: expect.stringContaining('disabled'), times: 1 }])
  await after(7 * DAY)
  expect((await rental()).state).toBe('suspended')
  await after(14 * DAY)
  expect(await rental()).toMatchObject({ state: 'ended', end_reason: 'unpaid' })
  expect(await mailsOf(shop)).toEqual(['warning', 'grace', 'suspended', 'unpaid'])
  expect(await shop.balanceOf(shop.alice)).toBe(98)
})

it('renews the number of an account that is enabled again', async () => {
  const { shop, rental, run, after } = await beginRented(100)
  await setDisabled(shop, shop.alice, true)
  await after(30 * DAY)
  expect((await rental()).state).toBe('grace')
  await setDisabled(shop, shop.alice, false)
  await run()
  expect(await rental()).toMatchObject({ state: 'active', periods: 2 })
  expect(await mailsOf(shop)).toEqual(['grace', 'renewed'])
  expect(await shop.balanceOf(shop.alice)).toBe(96)
  expect(await openAlerts(shop)).toEqual([])
})

it('books all months of an outage while the balance covers them, then starts the grace period', async () => {
  const { shop, rental, after } = await beginRented(6.5)
  await after(150 * DAY)
  expect(await rental()).toMatchObject({
    state: 'grace',
    periods: 3,
    overdue_since: shop.clock.now(),
  })
  expect(await shop.balanceOf(shop.alice)).toBe(0.5)
})

it('ends a canceled number with its paid period, without another month', async () => {
  const { shop, id, rental, after } = await beginRented(50)
  const params = { id }
  await shop.call('POST /api/numbers/:id/cancel', {
    token: shop.alice.token,
    params,
    body: { cancels: true },
  })
  await after(27 * DAY)
  expect((await rental()).state).toBe('active')
  await after(2 * DAY)
  expect(await rental()).toMatchObject({
    state: 'ended',
    end_reason: 'cancelled',
    ended_at: new Date('2026-02-28T10:00:00.000Z'),
  })
  expect(await shop.balanceOf(shop.alice)).toBe(48)
  expect(await mailsOf(shop)).toEqual(['cancelled'])
})

it('warns about the numbers that the balance does not cover together', async () => {
  const { shop, rented, after } = await beginRented(7)
  await rented(shop.alice)
  await after(26 * DAY)
  expect(await mailsOf(shop)).toEqual(['warning'])
})

it('mails the customer at a verified address', async () => {
  const { shop } = await begin(true)
  const erin = await signUp(shop, 'erin', { email: 'erin@example.com' })
  await shop.services.db
    .updateTable('users')
    .set({ email_verified_at: shop.clock.now() })
    .where('id', '=', erin.id)
    .execute()
  await shop.topUp(erin, 2)
  const number = await shop.addNumber({ setup: 0 })
  await shop.rent(erin, number)
  shop.clock.advance(26 * DAY)
  await shop.services.renewals.run()
  const [mail] = await shop.mails(1)
  expect(mail).toMatchObject({
    to: ['erin@example.com'],
    subject: expect.stringContaining('Your balance does not cover the rent of +442079460001'),
    text: expect.stringContaining('renews at 2026-02-28 10:00 UTC for $2.00'),
  })
})

it('tells the customer of a disabled account why the number is not renewed, without a link to top up', () => {
  const notice = { e164: '442079460001', monthlyMicros: 2_000_000n, at: new Date(START) }
  const addressee = {
    to: 'erin@example.com',
    username: 'erin',
    siteName: 'Trunkline',
    publicUrl: 'https://portal.example',
    messageId: '<1@portal.example>',
  }
  for (const kind of ['warning', 'grace', 'suspended'] as const) {
    const { text } = rentalMail({ ...notice, kind, cause: 'disabled' }, addressee)
    expect(text).toMatch(/Your account is disabled.*\n\nContact our support/)
    expect(text).not.toContain('topup')
    const unpaid = rentalMail({ ...notice, kind, cause: 'balance' }, addressee)
    expect(unpaid.text).toContain('https://portal.example/topup')
  }
})

/** A worker with its own connections, which the test can kill. */
function anotherWorker(shop: NumberShop, name: string) {
  const { clock, database, services } = shop
  const url = new URL(database.url)
  url.searchParams.set('application_name', name)
  const db = openDatabase({ url: url.href, poolSize: 2, onError: () => {}, connectTimeoutMs: 60_000 })
  atEnd(() => db.destroy())
  const renewals = createTestRenewals(db, clock, services.jobs, 'silent')
  return {
    run: () => renewals.run().catch(() => {}),
    kill: () =>
      ask(
        database.url,
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`,
      ),
  }
}

it('books each period of 24 months once, with three workers that are killed at any moment', async () => {
  const { shop, rented } = await begin()
  await shop.topUp(shop.alice, 1_000)
  const ids: number[] = []
  for (let count = 0; count < 6; count++) ids.push(await rented(shop.alice))
  // Paula pays late: each month ends in grace, then a top-up follows.
  await shop.topUp(shop.paula, 2)
  const late = await rented(shop.paula)
  const workers = ['worker-a', 'worker-b', 'worker-c'].map((name) => anotherWorker(shop, name))
  const killed = async () => {
    const running = workers.map((worker) => worker.run())
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
    await Promise.all(workers.map((worker) => worker.kill()))
    await Promise.all(running)
  }
  const started = shop.clock.now()
  for (let month = 1; month <= 24; month++) {
    shop.clock.advance(periodEnd(started, month).getTime() - shop.clock.now().getTime())
    await killed()
    shop.clock.advance(HOUR)
    await Promise.all(workers.map((worker) => worker.run()))
    await shop.services.renewals.run()
    expect((await rentalOf(shop, late)).state).toBe('grace')
    await shop.topUp(shop.paula, 2)
    await killed()
    await shop.services.renewals.run()
  }
  for (const id of [...ids, late]) {
    expect(await rentalOf(shop, id)).toMatchObject({
      state: 'active',
      periods: 25,
      paid_until: periodEnd(started, 25),
    })
    const keys = Array.from({ length: 25 }, (_, at) => `rent:${id}:${at + 1}`)
    const booked = await shop.services.ledger.postingsUnder(system('test'), keys)
    expect(booked).toHaveLength(25)
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from postings where kind = 'number_rent'`.execute(shop.services.db)
  expect(rows[0]?.count).toBe(7 * 25)
  expect(await shop.balanceOf(shop.alice)).toBe(1_000 - 6 * 25 * 2)
  expect(await shop.balanceOf(shop.paula)).toBe(0)
  // One mail for each grace period and each payment, whatever was killed.
  const counted = Map.groupBy(await mailsOf(shop), (kind) => kind)
  expect(counted.get('grace')).toHaveLength(24)
  expect(counted.get('renewed')).toHaveLength(24)
  await shop.expectBooksToAddUp()
})
