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

/** How a hold command ended. A refusal is a value: call control answers it with a SIP code, not with an exception. */
export type HoldOutcome =
  | { ok: true; isRepeat: boolean; hold: Hold; posting: Posting | null }
  | { ok: false; reason: HoldRefusal | 'unknown_account'; availableMicros: Micros }

type Step<Command> = {
  /** One statement; answers the holds it changed. */
  attempt(db: Database, owner: Owner, commands: Command[], now: Date): Promise<Map<string, Hold>>
  /** Amounts the database need not be asked about. */
  isPlausible(command: Command): boolean
  /** The domain's word on a command that changed nothing. */
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
  judge: ({ toMicros }, { hold, account }) => extendHold(account ?? NOBODY, hold, toMicros),
  postingOf: () => null,
}

const closing: Step<Closing> = {
  attempt: closeHolds,
  isPlausible: ({ costMicros }) => costMicros === null || costMicros === ZERO || isAmount(costMicros),
  judge: ({ costMicros }, { hold, account }) =>
    costMicros === null
      ? releaseHold(account ?? NOBODY, hold)
      : settleHold(account ?? NOBODY, hold, costMicros),
  postingOf(hold) {
    if (hold.status !== 'settled') return null
    const told = settleHold(emptyAccount(hold.userId), hold, hold.settledMicros)
    return told.ok ? told.posting : null
  },
}

const NOBODY = emptyAccount(0)

/** How often a command may find the world changed between its statement and the look at why it did nothing. */
const MAX_ATTEMPTS = 20

/**
 * Carries out commands on different holds with one statement. What it left undone is looked at and judged by the
 * domain: a repeat, a refusal, or, where money came in between or a larger neighbour stood in the way, tried once more
 * alone.
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
    if (attempts === MAX_ATTEMPTS) throw new Error('a hold kept changing while it was looked at')
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

/** Null: as things stand now it should have worked. */
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
