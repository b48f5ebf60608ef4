import type { Readable } from 'node:stream'
import type { AnswerOf } from '@trunkline/contract'
import { postingKinds } from '@trunkline/contract/posting-kinds'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import { type Micros, negate, subtract, toWireNumber, ZERO } from '@trunkline/domain/money'
import { microsOf } from '../../../platform/amounts.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import { type Ledger, orRefuse, type StatementFilter, type StatementLine } from '../ledger/service.ts'
import { fileOfStatement } from '../ledger/statement-store.ts'
import { type CallsById, viewAdjustment, viewAdminLine, viewLine } from './view.ts'

export type Balances = ReturnType<typeof createBalances>

type SettledCall = { callId: string; settledAt: Date }
/** The records of settled calls, by their IDs. Archived ones are missing. */
export type FindChargedCalls = (
  owner: Owner,
  userId: number,
  calls: readonly SettledCall[],
) => Promise<CallsById>

type Deps = {
  db: Database
  ledger: Ledger
  audit: Audit
  exports: Exports
  findChargedCalls: FindChargedCalls
}
type Page = { before?: number | undefined; limit: number }
type Movements = {
  kind?: StatementFilter['kind']
  from?: string | undefined
  to?: string | undefined
}
type StatementQuery = Page & Movements
type FileQuery = Movements & { timezone: string }

export type Adjustment = { user_id: number; amount: number; reason: string; request_key: string }
type ExactAdjustment = Omit<Adjustment, 'amount'> & { signed: Micros }

/** Statements for customers, and statements and adjustments of all customers for administrators. */
export function createBalances({ db, ledger, audit, exports, findChargedCalls }: Deps) {
  async function show(owner: Owner, userId: number) {
    const { balanceMicros, heldMicros } = await ledger.balanceOf(owner, userId)
    return {
      balance: toWireNumber(balanceMicros),
      held: toWireNumber(heldMicros),
      available: toWireNumber(subtract(balanceMicros, heldMicros)),
    }
  }

  async function adjustWithin(
    tx: Database,
    caller: Caller,
    { user_id: userId, signed, reason, request_key }: ExactAdjustment,
  ) {
    const posted = orRefuse(
      await ledger.within(tx).post(
        everyonesData(caller),
        {
          kind: 'adjustment',
          key: `adjustment:${request_key}`,
          userId,
          amountMicros: signed < ZERO ? negate(signed) : signed,
          direction: signed < ZERO ? 'debit' : 'credit',
          reference: 'balance adjustment',
          reason,
        },
        caller.userId,
      ),
    )
    if (posted.isRepeat) return posted
    const after = posted.balanceAfterMicros
    await audit.write(tx, caller, {
      action: 'balance.adjust',
      subject: `balance of user ${userId}`,
      userId,
      before: { balance: toWireNumber(subtract(after, signed)) },
      after: { balance: toWireNumber(after), amount: toWireNumber(signed) },
      reason,
    })
    return posted
  }

  return {
    /** Runs in the caller's transaction. Idempotent by key, including the audit entry. */
    adjustWithin,

    async adjust(
      caller: Caller,
      { amount, ...adjustment }: Adjustment,
    ): Promise<AnswerOf<'POST /api/admin/balance-adjustments'>> {
      await db
        .transaction()
        .execute((tx) => adjustWithin(tx, caller, { ...adjustment, signed: microsOf(amount) }))
      return { user_id: adjustment.user_id, ...(await show(everyonesData(caller), adjustment.user_id)) }
    },

    async statement(
      caller: Caller,
      userId: number,
      query: StatementQuery,
    ): Promise<AnswerOf<'GET /api/admin/users/:id/statement'>> {
      const owner = everyonesData(caller)
      const user = await known(owner, userId)
      const page = await statementOf(owner, userId, query, viewAdminLine)
      return { user: { id: user.id, username: user.username }, ...page }
    },

    ownStatement: (caller: Caller, query: StatementQuery): Promise<AnswerOf<'GET /api/statement'>> =>
      statementOf(ownDataOf(caller), caller.userId, query, viewLine),

    async statementCsv(caller: Caller, userId: number, query: FileQuery): Promise<Readable> {
      const owner = everyonesData(caller)
      await known(owner, userId)
      return exported(caller, owner, userId, query)
    },

    ownStatementCsv: (caller: Caller, query: FileQuery): Promise<Readable> =>
      exported(caller, ownDataOf(caller), caller.userId, query),

    async adjustments(
      caller: Caller,
      { before, limit, user = null }: Page & { user?: number | null | undefined },
    ): Promise<AnswerOf<'GET /api/admin/balance-adjustments'>> {
      const page = { before: asPosting(before), limit }
      const { lines, next } = await ledger.adjustments(everyonesData(caller), user, page)
      return { adjustments: lines.map(viewAdjustment), next: next === null ? null : Number(next) }
    },
  }

  /** The balance and a page of its lines, as `view` shows them. */
  async function statementOf<View>(
    owner: Owner,
    userId: number,
    { before, limit, ...movements }: StatementQuery,
    view: (line: StatementLine, calls: CallsById) => View,
  ) {
    const page = { before: asPosting(before), limit }
    const { lines, next } = await ledger.statement(owner, userId, page, filterFrom(movements))
    const settled = lines
      .filter(({ kind }) => kind === 'call_settlement')
      .map(({ reference, at }) => ({ callId: reference, settledAt: at }))
    const calls = await findChargedCalls(owner, userId, settled)
    return {
      ...(await show(owner, userId)),
      lines: lines.map((line) => view(line, calls)),
      next: next === null ? null : Number(next),
    }
  }

  function exported(
    caller: Caller,
    owner: Owner,
    userId: number,
    { timezone, ...movements }: FileQuery,
  ): Promise<Readable> {
    const filter = filterFrom(movements)
    return exports.begin(
      caller.userId,
      fileOfStatement(db, owner, userId, { filter, timezone, words: postingKinds }),
    )
  }

  async function known(owner: Owner, userId: number) {
    return requireFound(await findUserById(db, owner, userId))
  }
}

const asPosting = (before: number | undefined): bigint | null =>
  before === undefined ? null : BigInt(before)

const filterFrom = ({ kind, from, to }: Movements): StatementFilter => ({
  kind,
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
})
