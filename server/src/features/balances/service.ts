import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import {
  type Micros,
  micros,
  negate,
  parseDollars,
  subtract,
  toWireNumber,
  ZERO,
} from '@trunkline/domain/money'
import type { Database } from '../../platform/database.ts'
import { findUserById } from '../accounts/store.ts'
import type { Audit } from '../audit/service.ts'
import { type Ledger, orRefuse } from '../ledger/service.ts'

export type Balances = ReturnType<typeof createBalances>

export type Adjustment = { user_id: number; amount: number; reason: string; request_key: string }
type ExactAdjustment = Omit<Adjustment, 'amount'> & { signed: Micros }

/** What administrators see of a customer's balance, and how they correct it. */
export function createBalances(db: Database, ledger: Ledger, audit: Audit) {
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
    /** Part of a larger change. Sent twice under one key it is done once, and stands in the audit log once. */
    adjustWithin,

    async adjust(
      caller: Caller,
      { amount, ...adjustment }: Adjustment,
    ): Promise<AnswerOf<'POST /api/admin/balance-adjustments'>> {
      await db
        .transaction()
        .execute((tx) => adjustWithin(tx, caller, { ...adjustment, signed: exact(amount) }))
      return { user_id: adjustment.user_id, ...(await show(caller, adjustment.user_id)) }
    },

    async statement(
      caller: Caller,
      userId: number,
      page: { before?: number | undefined; limit: number },
    ): Promise<AnswerOf<'GET /api/admin/users/:id/statement'>> {
      const owner = everyonesData(caller)
      const user = await findUserById(db, owner, userId)
      if (!user) throw new Refusal('not_found')
      const before = page.before === undefined ? null : BigInt(page.before)
      const { lines, next } = await ledger.statement(owner, userId, { before, limit: page.limit })
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
        })),
        next: next === null ? null : Number(next),
      }
    },
  }
}

/** The contract has let through nothing else. */
function exact(amount: number): Micros {
  const parsed = parseDollars(amount)
  if (!parsed.ok) throw new Refusal('invalid_input', ownMessages.amountInvalid)
  return micros(parsed.amountMicros)
}
