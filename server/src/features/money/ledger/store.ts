import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type AccountState, effectOn, type Hold, type Posting } from '@trunkline/domain/ledger'
import { type Micros, micros } from '@trunkline/domain/money'
import { CompiledQuery, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import { CLOSE_HOLDS, EXTEND_HOLDS, PLACE_HOLDS, POST, VIEW_HOLDS } from './commands-store.ts'

type HoldRow = Selectable<Tables['holds']>

/** Change of a balance by a command. */
export type BalanceMove = { userId: number; amountMicros: Micros }
export type Placing = { holdId: string; userId: number; amountMicros: Micros }
export type Extension = { holdId: string; toMicros: Micros }
/** A cost of null releases the hold. */
export type Closing = { holdId: string; costMicros: Micros | null }

const run = async <Row>(db: Database, statement: string, parameters: unknown[]): Promise<Row[]> =>
  (await db.executeQuery(CompiledQuery.raw(statement, parameters))).rows as Row[]

/** Locking in the order of ids prevents deadlocks between batches. */
const inOrder = <Asked extends { holdId: string }>(asked: readonly Asked[]): Asked[] =>
  [...asked].sort((left, right) => (left.holdId < right.holdId ? -1 : 1))

const maySee = (owner: Owner, userId: number): boolean => owner.userId === null || owner.userId === userId

const readHold = (row: HoldRow): Hold => ({
  holdId: row.hold_id,
  userId: row.user_id,
  placedMicros: micros(row.placed_micros),
  amountMicros: micros(row.amount_micros),
  status: row.status,
  settledMicros: micros(row.settled_micros),
})

/** Places the holds that the balances cover and returns their ids. The ids of a batch must be unique. */
export async function placeHolds(
  db: Database,
  owner: Owner,
  placings: readonly Placing[],
  now: Date,
): Promise<Set<string>> {
  const asked = inOrder(placings.filter(({ userId }) => maySee(owner, userId)))
  const rows = await run<{ hold_id: string }>(db, PLACE_HOLDS, [
    asked.map(({ holdId }) => holdId),
    asked.map(({ userId }) => userId),
    asked.map(({ amountMicros }) => amountMicros),
    now,
  ])
  return new Set(rows.map((row) => row.hold_id))
}

export async function extendHolds(
  db: Database,
  owner: Owner,
  extensions: readonly Extension[],
): Promise<Map<string, Hold>> {
  const asked = inOrder(extensions)
  const rows = await run<HoldRow>(db, EXTEND_HOLDS, [
    asked.map(({ holdId }) => holdId),
    asked.map(({ toMicros }) => toMicros),
    owner.userId,
  ])
  return new Map(rows.map((row) => [row.hold_id, readHold(row)]))
}

export async function closeHolds(
  db: Database,
  owner: Owner,
  closings: readonly Closing[],
  now: Date,
): Promise<Map<string, Hold>> {
  const asked = inOrder(closings)
  const rows = await run<HoldRow>(db, CLOSE_HOLDS, [
    asked.map(({ holdId }) => holdId),
    asked.map(({ costMicros }) => costMicros),
    owner.userId,
    now,
  ])
  return new Map(rows.map((row) => [row.hold_id, readHold(row)]))
}

type NewPosting = { posting: Posting; fingerprint: string; createdBy: number | null }
type PostingPlace = { id: bigint; balanceAfterMicros: Micros }

/** Null if the key is used, the account does not exist or the balance is too low. */
export async function insertPosting(
  db: Database,
  owner: Owner,
  { posting, fingerprint, createdBy }: NewPosting,
  now: Date,
): Promise<PostingPlace | null> {
  if (!maySee(owner, posting.userId)) return null
  const [row] = await run<{ id: bigint; balance_after_micros: bigint }>(db, POST, [
    ...[posting.key, fingerprint, posting.kind, posting.userId, posting.reference, posting.reason],
    ...[createdBy, now, effectOn(posting.userId, posting)],
    posting.entries.map(({ account }) => account),
    posting.entries.map(({ amountMicros }) => amountMicros),
  ])
  return row ? { id: row.id, balanceAfterMicros: micros(row.balance_after_micros) } : null
}

/** A hold and its account from one snapshot. For a new hold, the account of its user. */
export type HoldView = { hold: Hold | null; account: AccountState | null }
/** With a user for placements. */
type Looked = { holdId: string; userId?: number }

export async function viewHolds(
  db: Database,
  owner: Owner,
  looked: readonly Looked[],
): Promise<Map<string, HoldView>> {
  type Row = HoldRow & AccountRow & { asked_id: string }
  const rows = await run<Row>(db, VIEW_HOLDS, [
    looked.map(({ holdId }) => holdId),
    looked.map(({ userId }) => userId ?? null),
  ])
  const found = new Map(rows.map((row) => [row.asked_id, row]))
  return new Map(
    looked.map(({ holdId, userId }) => {
      const row = found.get(holdId)
      // A placement can learn that its id is used by another user. Other commands cannot.
      const isHoldSeen = row?.hold_id != null && (userId !== undefined || maySee(owner, row.user_id))
      const isAccountSeen = row?.account_user_id != null && maySee(owner, row.account_user_id)
      return [
        holdId,
        { hold: isHoldSeen ? readHold(row) : null, account: isAccountSeen ? readAccount(row) : null },
      ]
    }),
  )
}

type AccountRow = { account_user_id: number | null; balance_micros: bigint; held_micros: bigint }

const readAccount = (row: AccountRow): AccountState => ({
  userId: Number(row.account_user_id),
  balanceMicros: micros(row.balance_micros),
  heldMicros: micros(row.held_micros),
})

export async function findAccount(db: Database, owner: Owner, userId: number): Promise<AccountState | null> {
  const row = await db
    .selectFrom('accounts')
    .select(['user_id as account_user_id', 'balance_micros', 'held_micros'])
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .executeTakeFirst()
  return row ? readAccount(row) : null
}

type KeptPosting = PostingPlace & { posting: Posting; fingerprint: string | null; at: Date }

/** Ignores the owner, because keys are global. The result is only used if the fingerprint matches. */
export async function findPostingByKey(
  db: Database,
  _scope: AllUsers,
  key: string,
): Promise<KeptPosting | null> {
  const row = await db.selectFrom('postings').selectAll().where('key', '=', key).executeTakeFirst()
  if (!row) return null
  const entries = await db
    .selectFrom('entries')
    .select(['account', 'amount_micros'])
    .where('posting_id', '=', row.id)
    .orderBy('amount_micros')
    .execute()
  return {
    id: row.id,
    at: row.at,
    balanceAfterMicros: micros(row.balance_after_micros),
    fingerprint: row.fingerprint,
    posting: {
      key: row.key,
      kind: row.kind,
      userId: row.user_id,
      reference: row.reference,
      reason: row.reason,
      entries: entries.map(({ account, amount_micros }) => ({
        account,
        amountMicros: micros(amount_micros),
      })),
    },
  }
}

export type PaymentTotals = { receivedMicros: Micros; receivedCount: number; paidOutMicros: Micros }

/** Totals received through the payment provider and paid out. */
export async function sumPayments(db: Database, owner: Owner): Promise<PaymentTotals> {
  const { rows } = await sql<{ received: bigint; count: number; paid_out: bigint }>`
    select coalesce(-sum(amount_micros) filter (where amount_micros < 0), 0)::bigint as received,
           count(*) filter (where amount_micros < 0)::integer as count,
           coalesce(sum(amount_micros) filter (where amount_micros > 0), 0)::bigint as paid_out
      from entries
     where account = 'payment_clearing'
       ${owner.userId === null ? sql`` : sql`and posting_id in (select id from postings where user_id = ${owner.userId})`}`.execute(
    db,
  )
  const { received = 0n, count = 0, paid_out = 0n } = rows[0] ?? {}
  return { receivedMicros: micros(received), receivedCount: count, paidOutMicros: micros(paid_out) }
}

/** What the provider owes to all customers. */
export async function sumBalances(db: Database, _scope: AllUsers): Promise<bigint> {
  const { owed } = await db
    .selectFrom('accounts')
    .select(sql<bigint>`coalesce(sum(balance_micros), 0)::bigint`.as('owed'))
    .executeTakeFirstOrThrow()
  return owed
}
