import type { Owner } from '@trunkline/domain/access'
import {
  emptyAccount,
  extendHold,
  type Hold,
  type HoldRefusal,
  type HoldResult,
  type Posting,
  placeHold,
  releaseHold,
  settleHold,
} from '@trunkline/domain/ledger'
import { type Micros, WIRE_LIMIT_MICROS, ZERO } from '@trunkline/domain/money'
import type { Database } from '../../../platform/database.ts'
import {
  type Closing,
  closeHolds,
  type Extension,
  extendHolds,
  type HoldView,
  type Placing,
  placeHolds,
  viewHolds,
} from './store.ts'

/** Result of a hold command. A refusal is a value, because call control maps it to a SIP code. */
export type HoldOutcome =
  | { ok: true; isRepeat: boolean; hold: Hold; posting: Posting | null }
  | { ok: false; reason: HoldRefusal | 'unknown_account'; availableMicros: Micros }

type Step<Command> = {
  /** Runs one statement and returns the changed holds. */
  attempt(db: Database, owner: Owner, commands: Command[], now: Date): Promise<Map<string, Hold>>
  /** False for amounts that are refused without a query. */
  isPlausible(command: Command): boolean
  /** Decides why a command changed nothing. */
  judge(command: Command, view: HoldView): HoldResult
  postingOf(hold: Hold): Posting | null
}

const isAmount = (amountMicros: Micros): boolean => amountMicros > ZERO && amountMicros < WIRE_LIMIT_MICROS

const placing: Step<Placing> = {
  async attempt(db, owner, commands, now) {
    const placed = await placeHolds(db, owner, commands, now)
    return new Map(
      commands
        .filter(({ holdId }) => placed.has(holdId))
        .map(({ holdId, userId, amountMicros }) => [
          holdId,
          {
            holdId,
            userId,
            placedMicros: amountMicros,
            amountMicros,
            status: 'open',
            settledMicros: ZERO,
          },
        ]),
    )
  },
  isPlausible: ({ amountMicros }) => isAmount(amountMicros),
  judge: (command, { hold, account }) => placeHold(account ?? emptyAccount(command.userId), hold, command),
  postingOf: () => null,
}

const extending: Step<Extension> = {
  attempt: extendHolds,
  isPlausible: ({ toMicros }) => isAmount(toMicros),
  judge: ({ toMicros }, { hold, account }) => extendHold(account ?? NO_ACCOUNT, hold, toMicros),
  postingOf: () => null,
}

const closing: Step<Closing> = {
  attempt: closeHolds,
  isPlausible: ({ costMicros }) => costMicros === null || costMicros === ZERO || isAmount(costMicros),
  judge: ({ costMicros }, { hold, account }) =>
    costMicros === null
      ? releaseHold(account ?? NO_ACCOUNT, hold)
      : settleHold(account ?? NO_ACCOUNT, hold, costMicros),
  postingOf(hold) {
    if (hold.status !== 'settled') return null
    const result = settleHold(emptyAccount(hold.userId), hold, hold.settledMicros)
    return result.ok ? result.posting : null
  },
}

const NO_ACCOUNT = emptyAccount(0)

/** Retries when the hold changes between the statement and the decision. */
const MAX_ATTEMPTS = 20

/**
 * Executes commands on different holds with one statement. For unchanged holds, the domain decides: a repeat, a refusal,
 * or a retry if the balance has changed or another command of the batch used the money first.
 */
async function carryOut<Command extends { holdId: string; userId?: number }>(
  step: Step<Command>,
  db: Database,
  owner: Owner,
  commands: readonly Command[],
  now: Date,
): Promise<HoldOutcome[]> {
  const outcomes = new Map<string, HoldOutcome>()
  let groups: Command[][] = [[...commands]]
  for (let attempts = 0; groups.length > 0; attempts++) {
    if (attempts === MAX_ATTEMPTS) throw new Error('hold changed repeatedly during a command')
    const again: Command[][] = []
    for (const group of groups) {
      const plausible = group.filter(step.isPlausible)
      const done =
        plausible.length > 0 ? await step.attempt(db, owner, plausible, now) : new Map<string, Hold>()
      for (const hold of done.values())
        outcomes.set(hold.holdId, { ok: true, isRepeat: false, hold, posting: step.postingOf(hold) })
      const undone = group.filter(({ holdId }) => !done.has(holdId))
      if (undone.length === 0) continue
      const views = await viewHolds(db, owner, undone)
      for (const command of undone) {
        const view = views.get(command.holdId) ?? { hold: null, account: null }
        const outcome = judge(step, command, view)
        if (outcome) outcomes.set(command.holdId, outcome)
        else again.push([command])
      }
    }
    groups = again
  }
  return commands.map(({ holdId }) => outcomes.get(holdId) as HoldOutcome)
}

/** Null if the command should succeed now, so it is retried. */
function judge<Command extends { userId?: number }>(
  step: Step<Command>,
  command: Command,
  view: HoldView,
): HoldOutcome | null {
  const result = step.judge(command, view)
  if (!result.ok) {
    const isStranger = command.userId !== undefined && !view.account
    return { ...result, ...(isStranger && { reason: 'unknown_account' }) }
  }
  if (!result.isRepeat) return null
  return { ok: true, isRepeat: true, hold: result.hold, posting: result.posting }
}

export type CarryOut<Command> = (
  db: Database,
  owner: Owner,
  commands: readonly Command[],
  now: Date,
) => Promise<HoldOutcome[]>

export const placeAll: CarryOut<Placing> = (...request) => carryOut(placing, ...request)
export const extendAll: CarryOut<Extension> = (...request) => carryOut(extending, ...request)
export const closeAll: CarryOut<Closing> = (...request) => carryOut(closing, ...request)
