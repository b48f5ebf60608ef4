import { system } from '@trunkline/domain/access'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { ZERO } from '@trunkline/domain/money'
import type { Logger } from 'pino'
import { createBatcher } from '../../../platform/batcher.ts'
import type { Database } from '../../../platform/database.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import type { Announcer } from '../live-calls/announcer.ts'
import type { Call } from '../live-calls/call.ts'
import type { Calls } from './calls.ts'
import { deleteCalls } from './calls-store.ts'
import type { DailyLimit } from './daily-limit.ts'
import type { Meter } from './meter.ts'
import { type Ending, recordOf } from './records.ts'
import type { Spending } from './spending.ts'

export type Settlement = ReturnType<typeof createSettlement>
export type EndedCall = { callId: string; ending: Ending }

type Deps = {
  db: Database
  ledger: Ledger
  logger: Logger
  calls: Calls
  spending: Spending
  spendable: DailyLimit
  meter: Meter
  announcer: Announcer
}

const LANES = 2
const MAX_AT_ONCE = 100
/** Batching window. The switch keeps the event until the commit, so the delay is safe. */
const GAP_MS = 100

/**
 * Ends calls in one transaction: deletes the live row, settles the hold for the exact cost and writes the record. Deleting the row is
 * the gate: only the process that deletes it settles the call.
 */
export function createSettlement(deps: Deps) {
  const { db, ledger, logger, calls, spending, spendable, meter, announcer } = deps
  const owner = system('settling calls')

  const draw = (call: Call, ending: Ending): NewCdr =>
    recordOf(call, ending, spendable(call.userId, calls.useOf(call.userId).heldMicros))

  async function settleWithin(tx: Database, endings: ReadonlyMap<string, Ending>): Promise<NewCdr[]> {
    const taken = await deleteCalls(tx, owner, [...endings.keys()])
    if (taken.length === 0) return []
    const bills = taken.map((call) => ({ call, record: draw(call, endings.get(call.callId) as Ending) }))
    await closeHolds(tx, bills)
    const drawn = bills.map(({ record }) => record)
    const records = drawn.filter((record) => !isPartOfCall(record))
    const written = await insertCdrs(tx, owner, records)
    const paidTwice = records.filter(({ callId, answeredAt }) => answeredAt && !written.has(callId))
    if (paidTwice.length > 0) await recordSeparately(tx, paidTwice)
    return drawn
  }

  async function closeHolds(tx: Database, bills: { call: Call; record: NewCdr }[]): Promise<void> {
    const held = bills.filter(({ call }) => call.heldMicros > ZERO)
    if (held.length === 0) return
    const outcomes = await ledger.within(tx).closeHolds(
      owner,
      held.map(({ call, record }) => ({
        holdId: call.callId,
        costMicros: record.answeredAt ? record.costMicros : null,
      })),
    )
    for (const [index, outcome] of outcomes.entries())
      if (!outcome.ok) throw new Error(`failed to settle call ${held[index]?.call.callId}: ${outcome.reason}`)
  }

  /**
   * One call control refused and recorded the call while another one admitted it. The connected call gets its own record.
   */
  async function recordSeparately(tx: Database, records: readonly NewCdr[]): Promise<void> {
    for (const { callId } of records)
      logger.warn({ call: callId }, 'call refused and admitted by two call controls')
    await insertCdrs(
      tx,
      owner,
      records.map((record) => ({ ...record, callId: `${record.callId}/admitted` })),
    )
  }

  /** Updates the memory after the commit. */
  function forget(callId: string, ending: Ending, record: NewCdr | undefined): void {
    const tracked = calls.get(callId)
    calls.remove(callId)
    if (!record) {
      // Another call control was first and charged the same amount.
      if (tracked?.isPlaced) {
        const { endedAt, costMicros } = draw(tracked.call, ending)
        spending.add(tracked.call.userId, endedAt, costMicros)
      }
      return
    }
    const { userId, status, reason, seconds, costMicros } = record
    spending.add(userId ?? 0, record.endedAt, costMicros)
    if (isPartOfCall(record)) return
    meter.ended(record)
    announcer.announce([
      { change: 'ended', call: { callId, userId: userId ?? 0, status, reason, seconds, costMicros } },
    ])
    logger.info(
      { call: callId, user: userId, status, reason, seconds, cost: String(costMicros) },
      'call ended',
    )
  }

  async function settleAll(
    ended: readonly EndedCall[],
    isStillSo: (tx: Database) => Promise<boolean> = async () => true,
  ): Promise<(NewCdr | null)[]> {
    const endings = new Map(ended.map(({ callId, ending }) => [callId, ending]))
    const records = await db
      .transaction()
      .execute(async (tx) => ((await isStillSo(tx)) ? await settleWithin(tx, endings) : null))
    if (!records) return ended.map(() => null)
    const byId = new Map(records.map((record) => [record.callId, record]))
    for (const [callId, ending] of endings) forget(callId, ending, byId.get(callId))
    return ended.map(({ callId }) => byId.get(callId) ?? null)
  }

  const batch = createBatcher<EndedCall, NewCdr | null>({
    lanes: LANES,
    maxSize: MAX_AT_ONCE,
    gapMs: GAP_MS,
    run: (ended) => settleAll(ended),
    keyOf: ({ callId }) => callId,
  })

  return {
    /** Resolves after the commit with the record, or null if the call had already ended. */
    settle: batch,
    /** Ends many calls, if a condition holds in the same transaction. */
    async settleIf(
      ended: readonly EndedCall[],
      isStillSo: (tx: Database) => Promise<boolean>,
    ): Promise<void> {
      for (let from = 0; from < ended.length; from += MAX_AT_ONCE)
        await settleAll(ended.slice(from, from + MAX_AT_ONCE), isStillSo)
    },
  }
}

/** A leg inside a call. The record of the call is enough: the leg is free, and nobody sees it as a call. */
const isPartOfCall = ({ routeId }: { routeId: number | null }): boolean => routeId === INNER_LEG_ROUTE_ID
