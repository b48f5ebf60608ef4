import type { HistoricCall } from '@trunkline/contract/demo-history'
import { system } from '@trunkline/domain/access'
import type { CallUser } from '@trunkline/domain/callcontrol'
import { ceilDiv, dollars, type Micros, micros, sum, ZERO } from '@trunkline/domain/money'
import type { Trunk } from '@trunkline/domain/routing'
import { type Clock, later, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { createCatalogue } from '../../catalogue/snapshot/catalogue.ts'
import { readEverything } from '../../catalogue/snapshot/store.ts'
import { createLedger, type MoneyMoves } from '../../money/ledger/service.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import { listCdrs } from '../cdr/list-store.ts'
import { createMonth } from '../cdr/months-store.ts'
import { recordOfPast } from './past-calls.ts'

/** Size of a demo credit, and the minimum balance at the end of the history. */
const CREDIT_STEP = dollars(100)
const LEFT_OVER = dollars(250)
const HOLDS_AT_ONCE = 200

const owner = system('demo history')

/** Reports the number of newly imported calls. */
type Tell = (calls: number) => void

/**
 * Imports the demo's generated history: records, sums and postings. Each user is one transaction, and a user with records is skipped,
 * so an interrupted import continues at the next start. Returns the number of imported calls.
 */
export async function importPast(
  db: Database,
  calls: readonly HistoricCall[],
  tell: Tell = () => {},
): Promise<number> {
  const catalogue = createCatalogue('any')
  catalogue.replaceAll(await readEverything(db, owner))
  for (const month of monthsOf(calls)) await createMonth(db, month)
  const byUser = Map.groupBy(calls, ({ username }) => username)
  const results = await Promise.allSettled(
    [...byUser].map(async ([username, past]) => {
      const user = catalogue.userByName(username)
      return user ? await importUser(db, user, past, catalogue.trunks(), tell) : 0
    }),
  )
  const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failed) throw failed.reason
  return results.reduce((all, result) => all + (result.status === 'fulfilled' ? result.value : 0), 0)
}

const monthsOf = (calls: readonly HistoricCall[]): Date[] =>
  [...new Set(calls.map(({ startedAt }) => new Date(startedAt).toISOString().slice(0, 7)))].map(
    (month) => new Date(`${month}-01`),
  )

const recordsOf = (past: readonly HistoricCall[], user: CallUser, trunks: readonly Trunk[]): NewCdr[] =>
  past
    .map((call, index) => recordOfPast(call, `${user.username}-${index + 1}`, user, trunks))
    .filter((record) => record !== null)

async function importUser(
  db: Database,
  user: CallUser,
  past: readonly HistoricCall[],
  trunks: readonly Trunk[],
  tell: Tell,
): Promise<number> {
  const begin = new Date(past[0]?.startedAt ?? 0)
  return await db.transaction().execute(async (tx) => {
    const before = await listCdrs(tx, owner, { userId: user.id }, { limit: 1, now: begin })
    if (before.length > 0) return 0
    const records = recordsOf(past, user, trunks)
    const clock = movedClock(begin)
    const money = createLedger(db, clock).within(tx)
    if (!(await giveCredit(money, user.id, sum(records.map(({ costMicros }) => costMicros))))) return 0
    await postInOrder(money, clock, records, tell)
    return (await insertCdrs(tx, owner, records)).size
  })
}

/** False if another process has already imported this user. */
async function giveCredit(money: MoneyMoves, userId: number, spent: Micros): Promise<boolean> {
  const steps = ceilDiv(spent + LEFT_OVER, CREDIT_STEP)
  const outcome = await money.post(owner, {
    kind: 'adjustment',
    direction: 'credit',
    key: `demo-credit:${userId}`,
    userId,
    amountMicros: micros(steps * CREDIT_STEP),
    reason: 'Demo credit',
    reference: 'demo',
  })
  if (outcome.ok) return !outcome.isRepeat
  if (outcome.reason === 'key_conflict') return false
  throw new Error(`ledger refused demo credit: ${outcome.reason}`)
}

/** Each posting has the end time of its call, so that the statement is in time order. */
async function postInOrder(
  money: MoneyMoves,
  clock: MovedClock,
  records: readonly NewCdr[],
  tell: Tell,
): Promise<void> {
  const paid = records
    .filter(({ costMicros }) => costMicros > ZERO)
    .sort((left, right) => left.endedAt.getTime() - right.endedAt.getTime())
  tell(records.length - paid.length)
  for (let from = 0; from < paid.length; from += HOLDS_AT_ONCE) {
    const some = paid.slice(from, from + HOLDS_AT_ONCE)
    clock.moveTo(some[0]?.startedAt)
    const placings = some.map(({ callId, userId, costMicros }) => ({
      holdId: callId,
      userId: userId ?? 0,
      amountMicros: costMicros,
    }))
    requireSuccess(await money.placeHolds(owner, placings))
    for (const { callId, costMicros, endedAt } of some) {
      clock.moveTo(endedAt)
      requireSuccess(await money.closeHolds(owner, [{ holdId: callId, costMicros }]))
    }
    tell(some.length)
  }
}

function requireSuccess(outcomes: readonly { ok: boolean }[]): void {
  if (outcomes.some(({ ok }) => !ok)) throw new Error('ledger refused a call of the demo history')
}

type MovedClock = Clock & { moveTo(at: Date | undefined): void }

function movedClock(start: Date): MovedClock {
  let now = later(start, -MINUTE)
  return {
    now: () => now,
    moveTo: (at) => {
      now = at ?? now
    },
  }
}
