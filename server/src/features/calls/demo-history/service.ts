import type { HistoricCall } from '@trunkline/contract/demo-history'
import { system } from '@trunkline/domain/access'
import type { CallUser } from '@trunkline/domain/callcontrol'
import { ceilDiv, dollars, type Micros, micros, negate, sum, ZERO } from '@trunkline/domain/money'
import type { Trunk } from '@trunkline/domain/routing'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { listNumbersByDigits } from '../../catalogue/numbers/store.ts'
import { createCatalogue } from '../../catalogue/snapshot/catalogue.ts'
import { readEverything } from '../../catalogue/snapshot/store.ts'
import { createAlerts } from '../../identity/alerts/service.ts'
import { createBalanceWatch } from '../../money/balances/balance-watch.ts'
import { createLedger, type MoneyMoves } from '../../money/ledger/service.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import { listCdrs } from '../cdr/list-store.ts'
import { createMonth } from '../cdr/months-store.ts'
import { recordOfPast } from './past-calls.ts'
import { createPastIncoming, type PastIncoming } from './past-incoming.ts'
import { backdateUser, lockImport } from './store.ts'

/** Size of a demo credit, and the minimum balance at the end of the history. */
const CREDIT_STEP = dollars(100)
const LEFT_OVER = dollars(250)
const HOLDS_AT_ONCE = 200
const RECORDS_AT_ONCE = 2_000

const owner = system('demo history')

/** Something that happens between the calls, such as a top-up. `run` executes at the time `at`. */
export type PastEvent = { at: Date; run(): Promise<void> }

export type HistoryOptions = {
  /** Receives the number of newly imported calls. */
  tell?(calls: number): void
  /** The events. They use `tx` and `clock`. */
  eventsIn?(tx: Database, clock: MovedClock): Promise<PastEvent[]>
  /** The first credit of a customer, which has to cover all calls. */
  openingCredit?(username: string, spentMicros: Micros): Micros
}

type ImportedUser = { user: CallUser; records: NewCdr[]; spentMicros: Micros }

/**
 * Imports the demo's generated history: records, sums and postings, in time order and in one transaction. Skips users with records, so
 * a second import changes nothing. Returns the number of imported calls.
 */
export async function importPast(
  db: Database,
  calls: readonly HistoricCall[],
  { tell = () => {}, eventsIn, openingCredit = coverCalls }: HistoryOptions = {},
): Promise<number> {
  const catalogue = createCatalogue('any')
  catalogue.replaceAll(await readEverything(db, owner))
  for (const month of monthsOf(calls)) await createMonth(db, month)
  const begin = new Date(calls[0]?.startedAt ?? 0)
  return await db.transaction().execute(async (tx) => {
    if (!(await lockImport(tx))) return 0
    const clock = movedClock(earlier(begin, DAY))
    const money = createLedger(db, clock).within(tx)
    const incoming = createPastIncoming(catalogue, clock, await pricesOf(tx, calls))
    const users: ImportedUser[] = []
    for (const [username, past] of Map.groupBy(calls, (call) => call.username)) {
      const user = catalogue.userByName(username)
      if (!user || (await hasRecords(tx, user, begin))) continue
      const records = recordsOf(past, user, catalogue.trunks(), incoming)
      const spentMicros = sum(records.map(({ costMicros }) => costMicros))
      await backdateUser(tx, user.id, clock.now())
      await giveCredit(money, user.id, openingCredit(username, spentMicros))
      users.push({ user, records, spentMicros })
    }
    if (users.length === 0) return 0
    const events = (await eventsIn?.(tx, clock)) ?? []
    const records = users.flatMap((one) => one.records)
    await postInOrder(money, clock, records, events, tell)
    await watchBalances(tx, clock, users)
    return await insertAll(tx, records)
  })
}

const hasRecords = async (tx: Database, { id }: CallUser, now: Date): Promise<boolean> =>
  (await listCdrs(tx, owner, { userId: id }, { limit: 1, now })).length > 0

const watchBalances = (tx: Database, clock: Clock, users: readonly ImportedUser[]): Promise<void> =>
  createBalanceWatch(createAlerts(tx, clock))(
    tx,
    users.map(({ user, spentMicros }) => ({ userId: user.id, amountMicros: negate(spentMicros) })),
  )

async function insertAll(tx: Database, records: readonly NewCdr[]): Promise<number> {
  let inserted = 0
  for (let from = 0; from < records.length; from += RECORDS_AT_ONCE)
    inserted += (await insertCdrs(tx, owner, records.slice(from, from + RECORDS_AT_ONCE))).size
  return inserted
}

const monthsOf = (calls: readonly HistoricCall[]): Date[] =>
  [...new Set(calls.map(({ startedAt }) => new Date(startedAt).toISOString().slice(0, 7)))].map(
    (month) => new Date(`${month}-01`),
  )

const recordsOf = (
  past: readonly HistoricCall[],
  user: CallUser,
  trunks: readonly Trunk[],
  incoming: PastIncoming,
): NewCdr[] =>
  past
    .map((call, index) => {
      const name = `${user.username}-${index + 1}`
      return call.from === undefined ? recordOfPast(call, name, user, trunks) : incoming(call, name, user)
    })
    .filter((record) => record !== null)

/** The incoming minute of the called numbers. */
async function pricesOf(tx: Database, calls: readonly HistoricCall[]) {
  const called = [...new Set(calls.filter(({ from }) => from !== undefined).map(({ dialed }) => dialed))]
  const numbers = await listNumbersByDigits(tx, owner, called)
  const prices = new Map(numbers.map(({ e164, price_micros }) => [e164, micros(price_micros)]))
  return (e164: string): Micros | undefined => prices.get(e164)
}

const coverCalls = (_: string, spentMicros: Micros): Micros =>
  micros(ceilDiv(spentMicros + LEFT_OVER, CREDIT_STEP) * CREDIT_STEP)

async function giveCredit(money: MoneyMoves, userId: number, amountMicros: Micros): Promise<void> {
  const outcome = await money.post(owner, {
    kind: 'adjustment',
    direction: 'credit',
    key: `demo-credit:${userId}`,
    userId,
    amountMicros,
    reason: 'Demo credit',
    reference: 'demo',
  })
  if (!outcome.ok) throw new Error(`ledger refused demo credit: ${outcome.reason}`)
}

/** Each posting has the end time of its call, so that the statement is in time order. */
async function postInOrder(
  money: MoneyMoves,
  clock: MovedClock,
  records: readonly NewCdr[],
  events: readonly PastEvent[],
  tell: (calls: number) => void,
): Promise<void> {
  let paid = records
    .filter(({ costMicros }) => costMicros > ZERO)
    .sort((left, right) => left.endedAt.getTime() - right.endedAt.getTime())
  tell(records.length - paid.length)
  for (const event of events.toSorted((left, right) => left.at.getTime() - right.at.getTime())) {
    const next = paid.findIndex(({ endedAt }) => endedAt >= event.at)
    const before = next === -1 ? paid : paid.slice(0, next)
    await settle(money, clock, before, tell)
    paid = paid.slice(before.length)
    clock.moveTo(event.at)
    await event.run()
  }
  await settle(money, clock, paid, tell)
}

async function settle(
  money: MoneyMoves,
  clock: MovedClock,
  paid: readonly NewCdr[],
  tell: (calls: number) => void,
): Promise<void> {
  for (let from = 0; from < paid.length; from += HOLDS_AT_ONCE) {
    const some = paid.slice(from, from + HOLDS_AT_ONCE)
    clock.moveTo(some[0]?.startedAt)
    const placings = some.map(({ callId, userId, costMicros }) => ({
      holdId: callId,
      userId: userId ?? 0,
      amountMicros: costMicros,
    }))
    requireSuccess(await money.placeHolds(owner, placings))
    // The connection runs the statements in order. Not waiting for each answer halves the time.
    const closed = some.map(({ callId, costMicros, endedAt }) => {
      clock.moveTo(endedAt)
      return money.closeHolds(owner, [{ holdId: callId, costMicros }])
    })
    requireSuccess((await Promise.all(closed)).flat())
    tell(some.length)
  }
}

function requireSuccess(outcomes: readonly { ok: boolean }[]): void {
  if (outcomes.some(({ ok }) => !ok)) throw new Error('ledger refused a call of the demo history')
}

/** The time of the history. */
export type MovedClock = Clock & { moveTo(at: Date | undefined): void }

export function movedClock(start: Date): MovedClock {
  let now = start
  return {
    now: () => now,
    moveTo: (at) => {
      now = at ?? now
    },
  }
}
