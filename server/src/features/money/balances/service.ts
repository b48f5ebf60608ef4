import type { Readable } from 'node:stream'
import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { postingKinds } from '@trunkline/contract/posting-kinds'
import { type Caller, everyonesData, type Owner } from '@trunkline/domain/access'
import { type Micros, negate, subtract, toWireNumber, ZERO } from '@trunkline/domain/money'
import { microsOf } from '../../../platform/amounts.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import { type Ledger, orRefuse, type StatementFilter } from '../ledger/service.ts'
import { fileOfStatement } from '../ledger/statement-store.ts'

export type Balances = ReturnType<typeof createBalances>

type Deps = { db: Database; ledger: Ledger; audit: Audit; exports: Exports }
type Page = { before?: number | undefined; limit: number }
type Movements = {
  kind?: StatementFilter['kind']
  from?: string | undefined
  to?: string | undefined
}

export type Adjustment = { user_id: number; amount: number; reason: string; request_key: string }
type ExactAdjustment = Omit<Adjustment, 'amount'> & { signed: Micros }

/** Balances and adjustments for administrators. */
export function createBalances({ db, ledger, audit, exports }: Deps) {
  async function show(caller: Caller, userId: number) {
    const { balanceMicros, heldMicros } = await ledger.balanceOf(everyonesData(caller), userId)
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
      return { user_id: adjustment.user_id, ...(await show(caller, adjustment.user_id)) }
    },

    async statement(
      caller: Caller,
      userId: number,
      { before, limit, ...movements }: Page & Movements,
    ): Promise<AnswerOf<'GET /api/admin/users/:id/statement'>> {
      const owner = everyonesData(caller)
      const user = await known(owner, userId)
      const page = { before: asPosting(before), limit }
      const { lines, next } = await ledger.statement(owner, userId, page, filterFrom(movements))
      return {
        user: { id: user.id, username: user.username },
        ...(await show(caller, userId)),
        lines: lines.map((line) => ({
          id: Number(line.id),
          at: line.at.toISOString(),
          kind: line.kind,
          amount: toWireNumber(line.amountMicros),
          balance: toWireNumber(line.balanceAfterMicros),
          reference: line.reference,
          reason: line.reason,
          by: line.by,
        })),
        next: next === null ? null : Number(next),
      }
    },

    async statementCsv(
      caller: Caller,
      userId: number,
      { timezone, ...movements }: Movements & { timezone: string },
    ): Promise<Readable> {
      const owner = everyonesData(caller)
      await known(owner, userId)
      const filter = filterFrom(movements)
      return exports.begin(
        caller.userId,
        fileOfStatement(db, owner, userId, { filter, timezone, words: postingKinds }),
      )
    },

    async adjustments(
      caller: Caller,
      { before, limit, user = null }: Page & { user?: number | null | undefined },
    ): Promise<AnswerOf<'GET /api/admin/balance-adjustments'>> {
      const page = { before: asPosting(before), limit }
      const { lines, next } = await ledger.adjustments(everyonesData(caller), user, page)
      return {
        adjustments: lines.map((line) => ({
          id: Number(line.id),
          at: line.at.toISOString(),
          user: { id: line.userId, username: line.username },
          amount: toWireNumber(line.amountMicros),
          balance: toWireNumber(line.balanceAfterMicros),
          reason: line.reason ?? '',
          by: line.by,
        })),
        next: next === null ? null : Number(next),
      }
    },
  }

  async function known(owner: Owner, userId: number) {
    const user = await findUserById(db, owner, userId)
    if (!user) throw new Refusal('not_found')
    return user
  }
}

const asPosting = (before: number | undefined): bigint | null =>
  before === undefined ? null : BigInt(before)

const filterFrom = ({ kind, from, to }: Movements): StatementFilter => ({
  kind,
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
})
