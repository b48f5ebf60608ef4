import { Refusal } from '@trunkline/contract/errors'
import { type Owner, system } from '@trunkline/domain/access'
import {
  type AccountState,
  effectOn,
  fingerprint,
  type MoneyCommand,
  type Posting,
  type PostRefusal,
  post as planPosting,
  recognize,
} from '@trunkline/domain/ledger'
import { type Micros, ZERO } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { type CarryOut, closeAll, extendAll, type HoldOutcome, placeAll } from './holds.ts'
import {
  listAdjustments,
  listPostingsByKey,
  listStatement,
  type StatementFilter,
  type StatementLine,
} from './statement-store.ts'
import {
  type BalanceMove,
  type Closing,
  type Extension,
  findAccount,
  findPostingByKey,
  insertPosting,
  type PaymentTotals,
  type Placing,
  sumPayments,
} from './store.ts'

export type { HoldOutcome } from './holds.ts'
export type { StatementFilter, StatementLine } from './statement-store.ts'
export type { Closing, Extension, PaymentTotals, Placing } from './store.ts'

export type PostOutcome =
  | { ok: true; isRepeat: boolean; posting: Posting; id: bigint; at: Date; balanceAfterMicros: Micros }
  | { ok: false; reason: PostRefusal | 'insufficient_balance' | 'key_conflict' | 'unknown_account' }

/** Commands that change money. Each is idempotent. A refusal is a value and changes nothing. */
export type MoneyMoves = {
  /** `createdBy` is the administrator, if any. It is not part of the fingerprint. */
  post(owner: Owner, command: MoneyCommand, createdBy?: number | null): Promise<PostOutcome>
  /**
   * The hold commands take different holds and run one statement. A batch of fifty takes a tenth (placing) to a fifth (closing) of
   * the time of single commands.
   */
  placeHolds(owner: Owner, placings: readonly Placing[]): Promise<HoldOutcome[]>
  /** Extends to a total, not by a difference. */
  extendHolds(owner: Owner, extensions: readonly Extension[]): Promise<HoldOutcome[]>
  /** Settles, or releases if the cost is null. */
  closeHolds(owner: Owner, closings: readonly Closing[]): Promise<HoldOutcome[]>
}

export type Ledger = Pick<MoneyMoves, 'post'> & {
  /**
   * The same commands in the caller's transaction. Accounts stay locked until the commit, so call these last, and for several
   * users in the order of their ids.
   */
  within(handle: Database): MoneyMoves
  balanceOf(owner: Owner, userId: number): Promise<{ balanceMicros: Micros; heldMicros: Micros }>
  /** Newest first. `next` is the cursor of the next page. */
  statement(
    owner: Owner,
    userId: number,
    page: StatementPage,
    filter?: StatementFilter,
  ): Promise<StatementAnswer>
  /** Adjustments of all customers or of one, newest first. */
  adjustments(owner: Owner, userId: number | null, page: StatementPage): Promise<StatementAnswer>
  /** Postings with these keys, oldest first. */
  postingsUnder(owner: Owner, keys: readonly string[]): Promise<StatementLine[]>
  paymentTotals(owner: Owner): Promise<PaymentTotals>
}

/** Called in the transaction of every change of a balance, while the accounts are locked. */
export type BalanceWatch = (handle: Database, moves: readonly BalanceMove[]) => Promise<void>

type StatementPage = { before?: bigint | null; limit: number }
type StatementAnswer = { lines: readonly StatementLine[]; next: bigint | null }

const noWatch: BalanceWatch = async () => {}

export function createLedger(db: Database, clock: Clock, watch: BalanceWatch = noWatch): Ledger {
  const closeWatched: CarryOut<Closing> = async (handle, ...request) => {
    const outcomes = await closeAll(handle, ...request)
    await reportMoves(handle, outcomes)
    return outcomes
  }

  /** Skips repeats and commands that did not change a balance. */
  async function reportMoves(
    handle: Database,
    outcomes: readonly (HoldOutcome | PostOutcome)[],
  ): Promise<void> {
    const moves = outcomes.flatMap((outcome): BalanceMove[] => {
      if (!outcome.ok || outcome.isRepeat || !outcome.posting) return []
      const { userId } = outcome.posting
      const amountMicros = effectOn(userId, outcome.posting)
      return amountMicros === ZERO ? [] : [{ userId, amountMicros }]
    })
    if (moves.length > 0) await watch(handle, moves)
  }

  async function postWatched(handle: Database, ...request: PostRequest): Promise<PostOutcome> {
    const outcome = await post(handle, ...request, clock.now())
    await reportMoves(handle, [outcome])
    return outcome
  }

  return {
    post: (owner, command, createdBy = null) => postWatched(db, owner, command, createdBy),

    within: (handle) => ({
      post: (owner, command, createdBy = null) => postWatched(handle, owner, command, createdBy),
      placeHolds: (owner, placings) => placeAll(handle, owner, placings, clock.now()),
      extendHolds: (owner, extensions) => extendAll(handle, owner, extensions, clock.now()),
      closeHolds: (owner, closings) => closeWatched(handle, owner, closings, clock.now()),
    }),

    async balanceOf(owner, userId) {
      const { balanceMicros, heldMicros }: AccountState =
        (await findAccount(db, owner, userId)) ?? refuse(new Refusal('not_found'))
      return { balanceMicros, heldMicros }
    },

    statement: async (owner, userId, { before = null, limit }, filter) =>
      answerOf(await listStatement(db, owner, userId, { before, limit: limit + 1 }, filter), limit),

    adjustments: async (owner, userId, { before = null, limit }) =>
      answerOf(await listAdjustments(db, owner, { before, limit: limit + 1 }, userId), limit),

    postingsUnder: async (owner, keys) => (await listPostingsByKey(db, owner, keys)).toReversed(),

    paymentTotals: (owner) => sumPayments(db, owner),
  }
}

function answerOf(lines: readonly StatementLine[], limit: number): StatementAnswer {
  const { shown, next } = pageOf(lines, limit, ({ id }) => id)
  return { lines: shown, next }
}

type PostRequest = [owner: Owner, command: MoneyCommand, createdBy: number | null]

async function post(
  db: Database,
  owner: Owner,
  command: MoneyCommand,
  createdBy: number | null,
  now: Date,
): Promise<PostOutcome> {
  const planned = planPosting(command)
  if (planned.ok) {
    const { posting } = planned
    const place = await insertPosting(
      db,
      owner,
      { posting, fingerprint: fingerprint(command), createdBy },
      now,
    )
    if (place) return { ok: true, isRepeat: false, posting, at: now, ...place }
  }
  // Checks in this order: repeat, conflict, refusal.
  const kept = await findPostingByKey(db, system('keys are unique across users'), command.key)
  const recognition = recognize(kept?.fingerprint ?? null, command)
  if (recognition === 'conflict') return { ok: false, reason: 'key_conflict' }
  if (recognition === 'repeat' && kept) {
    const { posting, id, at, balanceAfterMicros } = kept
    return { ok: true, isRepeat: true, posting, id, at, balanceAfterMicros }
  }
  if (!planned.ok) return planned
  const account = await findAccount(db, owner, command.userId)
  return { ok: false, reason: account ? 'insufficient_balance' : 'unknown_account' }
}

/** Throws the API error of a refusal, for callers whose transaction depends on the posting. */
export function orRefuse<Outcome extends { ok: true } | { ok: false; reason: string }>(
  outcome: Outcome,
): Extract<Outcome, { ok: true }> {
  if (outcome.ok) return outcome as Extract<Outcome, { ok: true }>
  switch (outcome.reason) {
    case 'insufficient_balance':
    case 'key_conflict':
      throw new Refusal(outcome.reason)
    case 'unknown_account':
      throw new Refusal('not_found')
    case 'amount_not_positive':
    case 'amount_too_large':
    case 'reason_missing':
      throw new Refusal('invalid_input')
    default:
      throw new Error(`unexpected refusal by the ledger: ${outcome.reason}`)
  }
}

function refuse(refusal: Refusal): never {
  throw refusal
}
