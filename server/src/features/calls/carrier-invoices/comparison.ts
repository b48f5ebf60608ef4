import { invoiceProblemWords } from '@trunkline/contract/carrier-invoice-words'
import type { UploadedInvoice } from '@trunkline/contract/carrier-invoices'
import { Refusal } from '@trunkline/contract/errors'
import {
  CARRIER_INVOICE_CALLS_MAX,
  CARRIER_INVOICE_DAYS_MAX,
  CARRIER_INVOICE_LINES_MAX,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { AllUsers } from '@trunkline/domain/access'
import {
  type CarrierInvoice,
  createZone,
  findShift,
  type OwnCall,
  readInvoiceInSteps,
  reconcileInSteps,
} from '@trunkline/domain/carrier-invoices'
import { dollars } from '@trunkline/domain/money'
import { carrierNumber } from '@trunkline/domain/routing'
import { microsOf } from '../../../platform/amounts.ts'
import { DAY, HOUR, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { runYielding } from '../../../platform/event-loop.ts'
import type { TrunkRow } from '../../catalogue/trunks/store.ts'
import { hasArchivedCalls, listOwnCalls } from './own-calls-store.ts'

type Period = { from: Date; to: Date }

/** Longer than any call rings. */
const RINGING_MS = HOUR
/** The limit of the switch is far below. */
const MAX_SECONDS = 7 * 24 * 3_600
const MAX_AMOUNT = dollars(100_000)

/** Reads the file, loads our calls of the period and compares both. Yields to the event loop while it computes. */
export async function compareInvoice(
  reports: Database,
  scope: AllUsers,
  trunk: TrunkRow,
  given: UploadedInvoice,
) {
  const toleranceMicros = microsOf(given.price_tolerance)
  const read = await readFile(given)
  const period = periodOf(given, read)
  const toleranceMs = given.match_tolerance * 1_000
  const loaded = spanToLoad(period, read, toleranceMs)
  if (await hasArchivedCalls(reports, period.from, period.to)) throw new Refusal('archived')
  const calls = await loadCalls(reports, scope, trunk.id, loaded)
  const result = await runYielding(
    reconcileInSteps(read.lines, calls, {
      toleranceMs,
      toleranceSeconds: given.duration_tolerance,
      toleranceMicros,
      period: { from: period.from.getTime(), to: period.to.getTime() },
      asSent: (number) =>
        carrierNumber({ stripDigits: trunk.strip_digits, addPrefix: trunk.add_prefix }, number),
    }),
  )
  return { ...result, read, period, toleranceMicros, shiftMinutes: findShift(result.calls) }
}

async function readFile(given: UploadedInvoice): Promise<CarrierInvoice> {
  const read = await runYielding(
    readInvoiceInSteps(given.file, {
      columns: given.columns,
      timeZone: given.timezone,
      dateOrder: given.date_order,
      maxLines: CARRIER_INVOICE_LINES_MAX,
      maxSeconds: MAX_SECONDS,
      maxAmountMicros: MAX_AMOUNT,
    }),
  )
  if ('problem' in read) throw new Refusal('invoice_unreadable', invoiceProblemWords(read))
  return read
}

/** Whole days in the time zone of the file: the given ones, or those of the first and last call. */
function periodOf({ from, to, timezone }: UploadedInvoice, { lines }: CarrierInvoice): Period {
  const toUtc = createZone(timezone)
  const spanned = spanOf(lines.map(({ at }) => at))
  const startOf = (day: string) => toUtc(Date.parse(`${day}T00:00:00Z`))
  const dayAfter = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10)
  const dayOf = (at: number | undefined) => {
    if (at === undefined) throw new Refusal('invalid_input', ownMessages.invoicePeriod)
    return new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(at)
  }
  const first = from ?? dayOf(spanned?.first)
  const last = to ?? dayOf(spanned?.last)
  const period = { from: new Date(startOf(first)), to: new Date(startOf(dayAfter(last))) }
  const days = (period.to.getTime() - period.from.getTime()) / DAY
  if (days <= 0 || days > CARRIER_INVOICE_DAYS_MAX + 1)
    throw new Refusal('invalid_input', ownMessages.invoicePeriod, [
      { field: 'to', message: ownMessages.invoicePeriod },
    ])
  return period
}

function spanOf(times: readonly number[]): { first: number; last: number } | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const at of times) {
    if (at < first) first = at
    if (at > last) last = at
  }
  return times.length === 0 ? null : { first, last }
}

/** Our calls that a line of the file can match, also if it is outside of the period by up to a day. */
function spanToLoad(period: Period, { lines }: CarrierInvoice, toleranceMs: number): Period {
  const near = lines
    .map(({ at }) => at)
    .filter((at) => at >= period.from.getTime() - DAY && at < period.to.getTime() + DAY)
  const spanned = spanOf(near)
  const from = Math.min(period.from.getTime(), spanned?.first ?? Number.POSITIVE_INFINITY)
  const to = Math.max(period.to.getTime(), spanned?.last ?? 0)
  return { from: new Date(from - toleranceMs - RINGING_MS), to: new Date(to + toleranceMs + 1) }
}

/** Day by day, so that no statement exceeds its timeout and other events run between them. */
async function loadCalls(
  reports: Database,
  scope: AllUsers,
  trunkId: number,
  { from, to }: Period,
): Promise<OwnCall[]> {
  const calls: OwnCall[] = []
  for (let begin = from; begin < to; begin = later(begin, DAY)) {
    const end = later(begin, DAY) < to ? later(begin, DAY) : to
    const limit = CARRIER_INVOICE_CALLS_MAX - calls.length + 1
    for (const call of await listOwnCalls(reports, scope, { trunkId, from: begin, to: end, limit }))
      calls.push(call)
    if (calls.length > CARRIER_INVOICE_CALLS_MAX)
      throw new Refusal('invalid_input', ownMessages.invoiceTooManyCalls)
  }
  return calls
}
