import { system } from '@trunkline/domain/access'
import { cover, extend } from '@trunkline/domain/callcontrol'
import { add, type Micros, subtract, ZERO } from '@trunkline/domain/money'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { type Call, nameOf } from '../live-calls/call.ts'
import type { Calls, Tracked } from './calls.ts'
import { type Covered, coverCalls, lockCalls } from './calls-store.ts'
import type { DailyLimit } from './daily-limit.ts'
import type { Session } from './session.ts'

export type Extension = ReturnType<typeof createExtension>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  ledger: Ledger
  calls: Calls
  spendable: DailyLimit
  sessionOf: (switchId: string) => Session | undefined
  announce: (call: Call) => void
  sliceSeconds: number
  leadSeconds: number
}

type Due = { tracked: Tracked; toSeconds: number; toMicros: Micros }

const MAX_AT_ONCE = 100
/** Retry interval after insufficient funds, because the customer may top up during the call. */
const RETRY_MS = 3 * SECOND

/** Extends holds before their slice is used up, and tells the switch after the commit. */
export function createExtension(deps: Deps) {
  const { db, clock, logger, ledger, calls, spendable, sessionOf } = deps
  const { sliceSeconds, leadSeconds } = deps
  const owner = system('extending calls')

  function findDue(): Due[] {
    const now = clock.now().getTime()
    const due: Due[] = []
    /** Amounts requested in this round by user, because the daily limit covers all their calls. */
    const promised = new Map<number, Micros>()
    for (const tracked of calls.all()) {
      const { call } = tracked
      if (!tracked.isPlaced || !call.answeredAt || now < tracked.nextExtensionAt) continue
      if (!sessionOf(call.switchId)) continue
      const already = promised.get(call.userId) ?? ZERO
      const held = add(calls.useOf(call.userId).heldMicros, already)
      const next = extend(call, (now - call.answeredAt.getTime()) / 1000, {
        sliceSeconds,
        leadSeconds,
        spendableMicros: spendable(call.userId, held),
      })
      if (!next) continue
      promised.set(call.userId, add(already, subtract(next.toMicros, call.heldMicros)))
      due.push({ tracked, ...next })
    }
    return due
  }

  /** The wanted amount, or as much as the balance covers. */
  async function extendWithin(tx: Database, due: readonly Due[]): Promise<Covered[]> {
    const rows = await lockCalls(
      tx,
      owner,
      due.map(({ tracked }) => tracked.call.callId),
    )
    const locked = new Map(rows.map((row) => [row.callId, row]))
    const alive = due.filter(({ tracked }) => locked.has(tracked.call.callId))
    const wanted = alive.map(({ tracked, toSeconds, toMicros }) => ({
      callId: tracked.call.callId,
      coveredSeconds: toSeconds,
      heldMicros: toMicros,
    }))
    const first = await hold(tx, wanted)
    const shrunk = first.short.flatMap(({ callId, coveredSeconds, availableMicros }) => {
      const row = locked.get(callId) as Covered
      const call = calls.get(callId)?.call
      const less = call && cover(call.rate, add(row.heldMicros, availableMicros), coveredSeconds)
      const isMore = less && less.coveredSeconds > row.coveredSeconds
      return isMore ? { callId, coveredSeconds: less.coveredSeconds, heldMicros: less.holdMicros } : []
    })
    const second = await hold(tx, shrunk)
    const covered = [...first.held, ...second.held]
    if (covered.length > 0) await coverCalls(tx, owner, covered)
    // Another call control may have covered more; keep the larger value.
    return covered.map((one) => {
      const row = locked.get(one.callId)
      return row && row.coveredSeconds > one.coveredSeconds ? row : one
    })
  }

  async function hold(tx: Database, wanted: readonly Covered[]) {
    const paid = wanted.filter(({ heldMicros }) => heldMicros > ZERO)
    const held: Covered[] = wanted.filter(({ heldMicros }) => heldMicros === ZERO)
    const short: (Covered & { availableMicros: Micros })[] = []
    if (paid.length === 0) return { held, short }
    const outcomes = await ledger.within(tx).extendHolds(
      owner,
      paid.map(({ callId, heldMicros }) => ({ holdId: callId, toMicros: heldMicros })),
    )
    for (const [index, outcome] of outcomes.entries()) {
      const one = paid[index] as Covered
      if (outcome.ok) held.push(one)
      else if (outcome.reason === 'insufficient_balance')
        short.push({ ...one, availableMicros: outcome.availableMicros })
      else logger.error({ call: one.callId, reason: outcome.reason }, 'failed to extend hold')
    }
    return { held, short }
  }

  async function extendAll(due: readonly Due[]): Promise<void> {
    const covered = await db.transaction().execute((tx) => extendWithin(tx, due))
    const byId = new Map(covered.map((one) => [one.callId, one]))
    const now = clock.now().getTime()
    for (const { tracked, toSeconds } of due) {
      const one = byId.get(tracked.call.callId)
      if (!one || one.coveredSeconds < toSeconds) tracked.nextExtensionAt = now + RETRY_MS
      if (!one || calls.get(one.callId) !== tracked) continue
      const { coveredSeconds, heldMicros } = one
      calls.update(tracked, { coveredSeconds, heldMicros })
      const { call } = tracked
      sessionOf(call.switchId)?.send({ type: 'extend', call: nameOf(call), coveredSeconds })
      deps.announce(call)
      logger.info({ call: call.callId, user: call.userId, covered: coveredSeconds }, 'call extended')
    }
  }

  return async function extendDue(): Promise<void> {
    const due = findDue()
    for (let from = 0; from < due.length; from += MAX_AT_ONCE)
      await extendAll(due.slice(from, from + MAX_AT_ONCE))
  }
}
