import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { system } from '@trunkline/domain/access'
import { periodEnd } from '@trunkline/domain/rentals'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { atEnd } from '../../../../test/lifetime.ts'
import { createNumberShop, type NumberShop } from '../../../../test/numbers.ts'
import type { SignedIn } from '../../../../test/portal.ts'
import type { Database } from '../../../platform/database.ts'

const NAME = 'renewing-process'
const MONTHS = 24

/** A real process that renews numbers. */
async function startRenewing({ database }: NumberShop) {
  const url = new URL(database.url)
  url.searchParams.set('application_name', NAME)
  const child = fork(join(import.meta.dirname, '../../../../test/renewing.ts'), [url.href])
  atEnd(async () => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await once(child, 'message')
  return {
    /** Resolves after the run. Does not resolve if the process is killed meanwhile. */
    async run(now: Date): Promise<void> {
      const renewed = once(child, 'message')
      child.send(now.getTime())
      await renewed
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      expect(await ended).toEqual([null, 'SIGKILL'])
    },
  }
}

/** Holds the locks of a statement until `release`. */
async function lock(db: Database, take: (tx: Database) => Promise<unknown>) {
  const taken = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = db.transaction().execute(async (tx) => {
    await take(tx)
    taken.resolve()
    await released.promise
  })
  await taken.promise
  return {
    release: () => {
      released.resolve()
      return done
    },
  }
}

it('books each period of 24 months once, with a process that is killed between and during bookings', async () => {
  const shop = await createNumberShop({}, { startsAt: '2026-01-31T10:00:00.000Z' })
  const { db } = shop.services
  const rented = async (who: SignedIn): Promise<number> =>
    (await shop.rent(who, await shop.addNumber({ setup: 0, monthly: 2 }))).answer.number.id
  await shop.topUp(shop.alice, 1_000)
  const paid = [await rented(shop.alice), await rented(shop.alice), await rented(shop.alice)] as const
  // Paula pays late: each month ends in grace, then a top-up follows.
  await shop.topUp(shop.paula, 2)
  const late = await rented(shop.paula)
  const ids = [...paid, late]
  const started = shop.clock.now()
  let renewing = await startRenewing(shop)

  const stateOfLate = async () =>
    (await db.selectFrom('number_rentals').select('state').where('id', '=', late).executeTakeFirstOrThrow())
      .state
  const booked = async (month: number, of = ids): Promise<number> => {
    const keys = of.map((id) => `rent:${id}:${month + 1}`)
    return (await shop.services.ledger.postingsUnder(system('test'), keys)).length
  }
  const isBlocked = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from pg_stat_activity where application_name = ${NAME} and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  }
  /** Kills the process while it waits for these locks, and starts another one. */
  async function killAt(take: (tx: Database) => Promise<unknown>, check: () => Promise<void>): Promise<void> {
    const held = await lock(db, take)
    try {
      void renewing.run(shop.clock.now())
      await expect.poll(isBlocked, { timeout: 30_000 }).toBe(true)
      await renewing.kill()
      await check()
    } finally {
      await held.release()
    }
    renewing = await startRenewing(shop)
  }

  for (let month = 1; month <= MONTHS; month++) {
    shop.clock.advance(periodEnd(started, month).getTime() - shop.clock.now().getTime())
    // Some numbers are renewed, the others wait.
    if (month % 8 === 4)
      await killAt(
        (tx) => tx.selectFrom('number_rentals').select('id').where('id', '=', paid[1]).forUpdate().execute(),
        async () => expect(await booked(month)).toBe(1),
      )
    await renewing.run(shop.clock.now())
    expect(await booked(month)).toBe(paid.length)
    expect(await stateOfLate()).toBe('grace')
    await shop.topUp(shop.paula, 2)
    // The rent is posted in a transaction that cannot close the alert.
    if (month % 12 === 0)
      await killAt(
        (tx) =>
          tx.selectFrom('alerts').select('id').where('kind', '=', 'renewal_failed').forUpdate().execute(),
        async () => expect(await booked(month, [late])).toBe(0),
      )
    await renewing.run(shop.clock.now())
    expect(await booked(month)).toBe(ids.length)
    expect(await stateOfLate()).toBe('active')
  }

  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from postings where kind = 'number_rent'`.execute(db)
  expect(rows[0]?.count).toBe(ids.length * (MONTHS + 1))
  expect(await shop.balanceOf(shop.alice)).toBe(1_000 - paid.length * (MONTHS + 1) * 2)
  expect(await shop.balanceOf(shop.paula)).toBe(0)
  await shop.expectBooksToAddUp()
}, 120_000)
