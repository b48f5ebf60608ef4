import { setTimeout } from 'node:timers/promises'
import { system } from '@trunkline/domain/access'
import { cents } from '@trunkline/domain/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { atEnd } from '../../../../test/lifetime.ts'
import { createSoundShop, tone } from '../../../../test/sounds.ts'
import type { Uncovered } from './covered-sound.ts'
import type { RecordingWriter } from './writing.ts'

/** Money for recordings is held before it is spent. */

const HOUR_MS = 3_600_000
const MEDIA = { id: 'media-1', startedAt: new Date(0) }

/** A customer with a balance. Recordings cost a cent per second. */
async function setup({ balance }: { balance: number }) {
  const shop = await createSoundShop()
  const { alice } = shop
  const { db, recordingWriting, recordingBooking } = shop.services
  const setPrice = (price: number) =>
    shop.call('PUT /api/admin/recording-price', { token: shop.root.token, body: { price } })
  await setPrice(0.6)
  if (balance > 0) await shop.topUp(alice, balance)
  const held = () => shop.heldBy(alice)
  const holdOf = ({ id }: { id: number }) =>
    db
      .selectFrom('holds')
      .select(['status', 'amount_micros'])
      .where('hold_id', '=', `recording:${id}`)
      .executeTakeFirst()
  let calls = 0
  const ends: Uncovered[] = []
  async function begin() {
    const writer = await recordingWriting.begin({
      userId: alice.id,
      callId: `recorded-${++calls}`,
      mediaId: MEDIA.id,
      onUncovered: (end) => ends.push(end),
    })
    atEnd(async () => writer?.finish().catch(() => {}))
    return writer
  }
  return {
    ...shop,
    db,
    ends,
    setPrice,
    holdOf,
    held,
    /** Balance, and the part of it that is held. */
    money: async () => [await shop.balanceOf(alice), await held()],
    begin,
    async mustBegin() {
      const writer = await begin()
      if (!writer) throw new Error('the balance does not cover the recording')
      return writer
    },
    recordings: () => db.selectFrom('recordings').selectAll().orderBy('id').execute(),
    book: () => recordingBooking.run(),
    /** Ends the connections of transactions that wait in a trigger. */
    async killWaiting() {
      const kill = () =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and wait_event = 'PgSleep'`.execute(db)
      await expect.poll(async () => (await kill()).rows.length).toBe(1)
    },
    async delay(event: string) {
      await sql`
        create or replace function wait_here() returns trigger language plpgsql as $$
        begin perform pg_sleep(60); return new; end $$`.execute(db)
      await sql`create trigger wait_here before ${sql.raw(event)} for each row execute function wait_here()`.execute(
        db,
      )
    },
    /** The pool may still have the killed connection. */
    stopDelay: (table: string) =>
      expect
        .poll(() =>
          sql`drop trigger if exists wait_here on ${sql.table(table)}`.execute(db).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true),
  }
}

/** The sound of a call, ten seconds at a time, with time to hold the next slice. */
async function speak(writer: RecordingWriter, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    writer.append(tone(Math.min(10, left), 2))
    await setTimeout(40)
  }
}

it('holds a slice, extends it, and books the exact price of the recording once', async () => {
  const shop = await setup({ balance: 10 })
  const writer = await shop.mustBegin()
  expect(await shop.held()).toBe(0.6)
  await speak(writer, 40)
  await expect.poll(shop.held).toBe(1.2)
  await shop.expectBooksToAddUp()
  await speak(writer, 13)
  await writer.finish()
  await writer.finish()
  // The money stays held until the price is booked.
  expect(await shop.held()).toBe(1.2)
  await shop.expectBooksToAddUp()
  await Promise.all([1, 2, 3].map(() => shop.book()))
  expect(await shop.money()).toEqual([9.47, 0])
  expect(await shop.recordings()).toMatchObject([{ micros: 530_000n, price_micros: 600_000n }])
  expect(await shop.holdOf(writer)).toMatchObject({ status: 'released' })
  await shop.expectBooksToAddUp()
})

it('never spends more than the balance on parallel recordings, and no other spending takes their money', async () => {
  const shop = await setup({ balance: 3 })
  const begun = await Promise.all(Array.from({ length: 8 }, () => shop.begin()))
  const writers = begun.filter((writer) => writer !== null)
  // Five slices of a minute are the whole balance.
  expect(writers).toHaveLength(5)
  expect(await shop.held()).toBe(3)
  const debit = { kind: 'adjustment', direction: 'debit', key: 'k', reference: 'r', reason: 'r' } as const
  expect(
    await shop.services.ledger.post(system('test'), {
      ...debit,
      userId: shop.alice.id,
      amountMicros: cents(1),
    }),
  ).toMatchObject({ ok: false, reason: 'insufficient_balance' })
  await Promise.all(writers.map((writer) => speak(writer, 90)))
  await Promise.all(writers.map((writer) => writer.finish()))
  expect(shop.ends).toEqual(writers.map(() => ({ seconds: 60, reason: 'balance' })))
  await Promise.all([shop.book(), shop.book()])
  const seconds = (await shop.recordings()).map((row) => Number(row.seconds))
  expect(seconds).toEqual([60, 60, 60, 60, 60])
  expect(await shop.money()).toEqual([0, 0])
  await shop.expectBooksToAddUp()
})

it('gives the rest of a recording that ends early to those that go on', async () => {
  const shop = await setup({ balance: 1.2 })
  const [short, long] = [await shop.mustBegin(), await shop.mustBegin()]
  await speak(short, 10)
  await short.finish()
  await shop.book()
  await speak(long, 60)
  await expect.poll(async () => (await shop.holdOf(long))?.amount_micros).toBe(1_100_000n)
  await speak(long, 60)
  expect(shop.ends).toEqual([{ seconds: 110, reason: 'balance' }])
  await long.finish()
  await shop.book()
  expect(await shop.money()).toEqual([0, 0])
  await shop.expectBooksToAddUp()
})

it('covers as many seconds as the balance pays for, and does not begin without a second', async () => {
  const shop = await setup({ balance: 0 })
  expect(await shop.begin()).toBeNull()
  await shop.topUp(shop.alice, 0.25)
  const writer = await shop.mustBegin()
  expect(await shop.begin()).toBeNull()
  await speak(writer, 40)
  expect(shop.ends).toEqual([{ seconds: 25, reason: 'balance' }])
  await writer.finish()
  await shop.book()
  expect(await shop.recordings()).toMatchObject([{ seconds: '25.00', micros: 250_000n }])
  expect(await shop.balanceOf(shop.alice)).toBe(0)
  await shop.expectBooksToAddUp()
})

it('charges the price of the start if the price changes, and holds nothing at a price of zero', async () => {
  const shop = await setup({ balance: 10 })
  const priced = await shop.mustBegin()
  await shop.setPrice(0)
  const free = await shop.mustBegin()
  expect(await shop.holdOf(free)).toBeUndefined()
  await shop.setPrice(60)
  await Promise.all([speak(priced, 100), speak(free, 100)])
  await Promise.all([priced.finish(), free.finish()])
  await shop.book()
  expect(await shop.recordings()).toMatchObject([
    { seconds: '100.00', micros: 1_000_000n },
    { seconds: '100.00', micros: 0n },
  ])
  expect(await shop.money()).toEqual([9, 0])
})

it('gives the money back if nothing was recorded, or the recording expires unfinished', async () => {
  const shop = await setup({ balance: 10 })
  const silent = await shop.mustBegin()
  await silent.finish()
  expect(await shop.recordings()).toEqual([])
  expect(await shop.held()).toBe(0)
  await shop.mustBegin()
  shop.clock.advance(31 * 24 * HOUR_MS)
  await shop.services.recordings.deleteExpired()
  expect(await shop.recordings()).toEqual([])
  expect(await shop.held()).toBe(0)
  await shop.expectBooksToAddUp()
})

it('finishes and books the recording of a killed process once, and gives the rest back', async () => {
  const shop = await setup({ balance: 10 })
  const killed = await shop.mustBegin()
  await speak(killed, 40)
  await expect.poll(shop.held).toBe(1.2)
  const heirs = [shop.otherProcess(), shop.otherProcess()]
  await Promise.all(heirs.map((heir) => heir.finishAbandoned([MEDIA.id])))
  await Promise.all([shop.book(), shop.book()])
  expect(await shop.money()).toEqual([9.6, 0])
  // It was not killed, but only away: it cannot go on without money.
  await speak(killed, 60)
  expect(shop.ends).toEqual([{ seconds: expect.any(Number), reason: 'failure' }])
  await killed.finish()
  await shop.book()
  expect(await shop.money()).toEqual([9.6, 0])
  await shop.expectBooksToAddUp()
})

it('leaves neither a row nor a hold if the database is killed while a recording begins', async () => {
  const shop = await setup({ balance: 10 })
  await shop.delay('insert on holds')
  const begun = expect(shop.begin()).rejects.toThrow()
  await shop.killWaiting()
  await begun
  expect(await shop.recordings()).toEqual([])
  expect(await shop.held()).toBe(0)
})

it('records on if the database is killed while a hold is extended, and holds the slice later', async () => {
  const shop = await setup({ balance: 10 })
  const writer = await shop.mustBegin()
  await shop.delay('update of amount_micros on holds')
  await speak(writer, 31)
  await shop.killWaiting()
  await shop.stopDelay('holds')
  expect(await shop.held()).toBe(0.6)
  // The recording tries again at some second after it has noticed the lost connection.
  let spoken = 31
  const heldLater = async () => {
    if (spoken < 59) await speak(writer, 1)
    spoken = Math.min(59, spoken + 1)
    return shop.held()
  }
  await expect.poll(heldLater, { interval: 500 }).toBe(1.2)
  await speak(writer, 80 - spoken)
  await writer.finish()
  await shop.book()
  expect(shop.ends).toEqual([])
  expect(await shop.money()).toEqual([9.2, 0])
  await shop.expectBooksToAddUp()
})

it('finishes a recording later if the database was killed at its end', async () => {
  const shop = await setup({ balance: 10 })
  const writer = await shop.mustBegin()
  await speak(writer, 20)
  await shop.delay('update of state on recordings')
  const finished = expect(writer.finish()).rejects.toThrow()
  await shop.killWaiting()
  await finished
  await shop.stopDelay('recordings')
  const other = await shop.mustBegin()
  await speak(other, 10)
  await shop.services.recordingWriting.finishOwn(MEDIA)
  await shop.book()
  // The other one goes on.
  expect(await shop.recordings()).toMatchObject([
    { state: 'ready', micros: 200_000n },
    { state: 'recording', booked_at: null },
  ])
  expect(await shop.money()).toEqual([9.8, 0.6])
  await shop.expectBooksToAddUp()
})

it('books once and gives the rest back if the worker is killed between the release and the posting', async () => {
  const shop = await setup({ balance: 1 })
  const writer = await shop.mustBegin()
  await speak(writer, 10)
  await writer.finish()
  await shop.delay('insert on entries')
  const booked = shop.book()
  await shop.killWaiting()
  await booked
  expect(await shop.money()).toEqual([1, 0.6])
  await shop.stopDelay('entries')
  await Promise.all([shop.book(), shop.book()])
  expect(await shop.money()).toEqual([0.9, 0])
  await shop.expectBooksToAddUp()
})

it('gives the money back an hour after a machine was lost, and books the price if it returns', async () => {
  const shop = await setup({ balance: 1 })
  const writer = await shop.mustBegin()
  await speak(writer, 10)
  shop.clock.advance(HOUR_MS)
  await shop.book()
  expect(await shop.held()).toBe(0.6)
  shop.clock.advance(1_000)
  await shop.book()
  expect(await shop.held()).toBe(0)
  await shop.expectBooksToAddUp()
  await shop.otherProcess().finishAbandoned([MEDIA.id])
  await shop.book()
  expect(await shop.money()).toEqual([0.9, 0])
  await shop.expectBooksToAddUp()
})

it('keeps the hold of a long recording while its process runs', async () => {
  const shop = await setup({ balance: 1 })
  const { db, clock } = shop
  const startedAt = clock.now()
  await db
    .insertInto('media_servers')
    .values({
      id: MEDIA.id,
      host: '127.0.0.1',
      port: 5080,
      password: '',
      started_at: startedAt,
      seen_at: startedAt,
    })
    .execute()
  await shop.mustBegin()
  shop.clock.advance(2 * HOUR_MS)
  await db.updateTable('media_servers').set({ seen_at: clock.now() }).execute()
  await shop.book()
  expect(await shop.held()).toBe(0.6)
})
