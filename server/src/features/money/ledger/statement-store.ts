import type { Owner } from '@trunkline/domain/access'
import type { Posting } from '@trunkline/domain/ledger'
import { type Micros, micros } from '@trunkline/domain/money'
import { type RawBuilder, sql } from 'kysely'
import {
  type CsvFile,
  dateAndTime,
  dollarsOf,
  escapeFormula,
  expressionsOf,
  isoTimestampOf,
  wordFor,
} from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'

/** A posting from the customer's point of view. */
export type StatementLine = Pick<Posting, 'kind' | 'reference' | 'reason'> & {
  id: bigint
  at: Date
  userId: number
  username: string
  /** Name of the administrator, if any. */
  by: string | null
  /** Change of the customer's balance. Zero if the posting does not touch it, as for an upgrade. */
  amountMicros: Micros
  /** Amount of the posting. */
  movedMicros: Micros
  balanceAfterMicros: Micros
}

export type StatementFilter = {
  kind?: Posting['kind'] | 'without_calls' | undefined
  from?: Date | undefined
  to?: Date | undefined
}

type LineRow = Pick<StatementLine, 'id' | 'at' | 'kind' | 'reference' | 'reason' | 'username' | 'by'> & {
  user_id: number
  amount: bigint
  moved: bigint
  balance: bigint
}

const effect = sql`coalesce((select amount_micros from entries
  where posting_id = postings.id and account = 'customer:' || postings.user_id), 0)`

/** Newest first. */
async function readLines(
  db: Database,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<StatementLine[]> {
  const { rows } = await sql<LineRow>`
    select postings.id, at, kind, reference, reason, user_id, owner.username, actor.username as by,
           balance_after_micros as balance, ${effect} as amount,
           coalesce((select sum(amount_micros)::bigint from entries
                      where posting_id = postings.id and amount_micros > 0), 0) as moved
      from postings
      join users as owner on owner.id = postings.user_id
      left join users as actor on actor.id = postings.created_by
     where ${condition} order by postings.id desc limit ${limit}`.execute(db)
  return rows.map(({ user_id, amount, moved, balance, ...rest }) => ({
    ...rest,
    userId: user_id,
    amountMicros: micros(amount),
    movedMicros: micros(moved),
    balanceAfterMicros: micros(balance),
  }))
}

/** Conditions: visible to the owner, of this customer, and matching the filter. */
function movementsOf(owner: Owner, userId: number, { kind, from, to }: StatementFilter): RawBuilder<unknown> {
  const conditions = [
    sql`postings.user_id = ${userId}`,
    owner.userId !== null && sql`postings.user_id = ${owner.userId}`,
    // Matches the condition of the partial index without calls.
    kind && kind !== 'call_settlement' && sql`kind <> 'call_settlement'`,
    kind && kind !== 'without_calls' && sql`kind = ${kind}`,
    from && sql`at >= ${from}`,
    to && sql`at < ${to}`,
  ].filter((condition) => typeof condition === 'object')
  return sql.join(conditions, sql` and `)
}

type PostingPage = { before: bigint | null; limit: number }

const isBefore = (before: bigint | null) =>
  before === null ? sql`true` : sql`postings.id < ${before}::bigint`

/** Keyset pagination. */
export const listStatement = (
  db: Database,
  owner: Owner,
  userId: number,
  { before, limit }: PostingPage,
  filter: StatementFilter = {},
): Promise<StatementLine[]> =>
  readLines(db, sql`${movementsOf(owner, userId, filter)} and ${isBefore(before)}`, limit)

/** Adjustments of all visible customers or of one. */
export const listAdjustments = (
  db: Database,
  owner: Owner,
  { before, limit }: PostingPage,
  userId: number | null,
): Promise<StatementLine[]> => {
  const ofOne = [owner.userId, userId].flatMap((id) => (id === null ? [] : [sql`postings.user_id = ${id}`]))
  return readLines(db, sql.join([sql`kind = 'adjustment'`, ...ofOne, isBefore(before)], sql` and `), limit)
}

export const listPostingsByKey = (
  db: Database,
  owner: Owner,
  keys: readonly string[],
): Promise<StatementLine[]> =>
  readLines(
    db,
    sql`key = any(${[...keys]}::text[])
        and ${owner.userId === null ? sql`true` : sql`postings.user_id = ${owner.userId}`}`,
    keys.length,
  )

type StatementFile = {
  filter: StatementFilter
  timezone: string
  words: Readonly<Record<string, string>>
}

/** Reasons and names of administrators are not for customers. */
const ADMIN_COLUMNS = [
  ['reason', escapeFormula('reason')],
  ['by', escapeFormula('actor')],
] as const

export function fileOfStatement(
  db: Database,
  owner: Owner,
  userId: number,
  { filter, timezone, words }: StatementFile,
): CsvFile {
  const columns = [
    ['id', 'postings.id'],
    ...dateAndTime('at', timezone),
    ['kind', wordFor('kind', words)],
    ['amount', dollarsOf('amount')],
    ['balance', dollarsOf('balance_after_micros')],
    ['reference', escapeFormula('reference')],
    ...(owner.userId === null ? ADMIN_COLUMNS : []),
    ['at', isoTimestampOf('at')],
  ] as const
  const query = sql`
    select ${expressionsOf(columns)}
      from (select postings.*, ${effect} as amount,
                   (select username from users where users.id = postings.created_by) as actor
              from postings where ${movementsOf(owner, userId, filter)}) as postings
     order by postings.id desc`
  return { columns, query: query.compile(db) }
}
