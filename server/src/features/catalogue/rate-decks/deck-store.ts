import type { DeckCounts } from '@trunkline/contract/rate-decks'
import type { AllUsers } from '@trunkline/domain/access'
import type { DeckLine } from '@trunkline/domain/decks'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countRows, insertedId } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import { inBatches, readPrefixRate, type Shelf } from '../prefix-rates/store.ts'

export type DeckRow = Selectable<Tables['rate_decks']>
export type ListedDeckRow = DeckRow & { username: string }

type NewDeck = Pick<
  DeckRow,
  'mode' | 'effective_at' | 'line_count' | 'counts' | 'untouched' | 'created_by' | 'created_at' | 'applied_at'
> & { shelf: Shelf; listId: number }

const columnOf = (shelf: Shelf) => `${shelf}_id` as const

export const insertDeck = (db: Database, { shelf, listId, counts, ...deck }: NewDeck): Promise<number> =>
  insertedId(
    db
      .insertInto('rate_decks')
      .values({ ...deck, counts: JSON.stringify(counts), [columnOf(shelf)]: listId })
      .returning('id'),
  )

export async function insertPlannedRates(
  db: Database,
  deckId: number,
  lines: readonly DeckLine[],
): Promise<void> {
  for (const some of inBatches(lines))
    await sql`
      insert into planned_rates (deck_id, line, prefix, price_micros, connect_fee_micros, first_increment, next_increment)
      select ${deckId}, * from unnest(${some.map(({ line }) => line)}::integer[],
             ${some.map(({ prefix }) => prefix)}::text[],
             ${some.map(({ priceMicros }) => priceMicros)}::bigint[],
             ${some.map(({ connectFeeMicros }) => connectFeeMicros)}::bigint[],
             ${some.map(({ firstIncrement }) => firstIncrement)}::integer[],
             ${some.map(({ nextIncrement }) => nextIncrement)}::integer[])`.execute(db)
}

/** Lines of a planned deck in the order of the file. */
export async function takePlannedRates(db: Database, deckId: number): Promise<DeckLine[]> {
  const rows = await db.deleteFrom('planned_rates').where('deck_id', '=', deckId).returningAll().execute()
  return rows
    .map((row) => ({ line: row.line, ...readPrefixRate(row) }))
    .sort((left, right) => left.line - right.line)
}

export const countPlanned = (db: Database, shelf: Shelf, listId: number): Promise<number> =>
  countRows(
    db
      .selectFrom('rate_decks')
      .where(columnOf(shelf), '=', listId)
      .where('applied_at', 'is', null)
      .where('canceled_at', 'is', null),
  )

/** Planned decks by time, then the others, latest first. */
export const listDecks = (
  db: Database,
  _scope: AllUsers,
  shelf: Shelf,
  listId: number,
  limit: number,
): Promise<ListedDeckRow[]> =>
  db
    .selectFrom('rate_decks')
    .innerJoin('users', 'users.id', 'rate_decks.created_by')
    .selectAll('rate_decks')
    .select('users.username')
    .where(columnOf(shelf), '=', listId)
    .orderBy(sql`coalesce(applied_at, canceled_at)`, (order) => order.desc().nullsFirst())
    .orderBy('effective_at')
    .orderBy('rate_decks.id')
    .limit(limit)
    .execute()

/** Locks a deck. */
export const lockDeck = (db: Database, id: number): Promise<DeckRow | undefined> =>
  db.selectFrom('rate_decks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The earliest planned deck that is due. Another worker waits for it, because decks of a list must be applied in order. */
export const takeDueDeck = (db: Database, now: Date): Promise<DeckRow | undefined> =>
  db
    .selectFrom('rate_decks')
    .selectAll()
    .where('applied_at', 'is', null)
    .where('canceled_at', 'is', null)
    .where('effective_at', '<=', now)
    .orderBy('effective_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

export async function markApplied(db: Database, id: number, counts: DeckCounts, now: Date): Promise<void> {
  await db
    .updateTable('rate_decks')
    .set({ applied_at: now, counts: JSON.stringify(counts) })
    .where('id', '=', id)
    .execute()
}

export async function markCanceled(db: Database, id: number, now: Date): Promise<void> {
  await db.updateTable('rate_decks').set({ canceled_at: now }).where('id', '=', id).execute()
  await db.deleteFrom('planned_rates').where('deck_id', '=', id).execute()
}
