import { type Caller, system } from '@trunkline/domain/access'
import { formatExact, micros } from '@trunkline/domain/money'
import { createCarrierInvoices } from '../features/calls/carrier-invoices/service.ts'
import type { CdrRow } from '../features/calls/cdr/list-store.ts'
import { listCdrs } from '../features/calls/cdr/list-store.ts'
import { createBulkPricing } from '../features/catalogue/bulk-pricing/service.ts'
import { createRateDecks } from '../features/catalogue/rate-decks/service.ts'
import { listTrunks } from '../features/catalogue/trunks/store.ts'
import { createAudit } from '../features/identity/audit/service.ts'
import { DAY, earlier, later, MINUTE, startOfDay } from '../platform/clock.ts'
import { createExports } from '../platform/csv.ts'
import type { Database } from '../platform/database.ts'

const owner = system('demo history')

type Past = { db: Database; databaseUrl: string; now: Date; admin: Caller }

/** What the operator of the demo did with carriers: compared two invoices, planned new rates, tried new prices and took them back. */
export async function addCarrierPast({ db, databaseUrl, now, admin }: Past): Promise<void> {
  const exports = createExports(databaseUrl)
  const at = (daysAgo: number) => {
    const clock = { now: () => earlier(now, daysAgo * DAY) }
    return { db, clock, audit: createAudit(db, clock, exports), exports }
  }
  const ids = new Map((await listTrunks(db, owner, now)).map(({ name, id }) => [name, id]))
  const week = { from: earlier(startOfDay(now), 9 * DAY), to: earlier(startOfDay(now), 2 * DAY) }

  const invoices = createCarrierInvoices({ ...at(1.5), reports: db })
  const compare = async (name: string, linesOf: (calls: readonly CdrRow[]) => string[]) => {
    const trunkId = ids.get(name) ?? 0
    const filter = { ...week, trunkId, carrierResult: 'answered' as const }
    const calls = await listCdrs(db, owner, filter, { limit: 500, now })
    const file = [HEADER, ...linesOf(calls)].join('\n')
    return await invoices.compare(admin, {
      trunk_id: trunkId,
      name: `${name}, week of ${dayOf(week.from)}`,
      file_name: `${name.toLowerCase().replaceAll(' ', '-')}.csv`,
      file,
      timezone: 'UTC',
      from: dayOf(week.from),
      to: dayOf(earlier(week.to, DAY)),
      match_tolerance: 60,
      duration_tolerance: 1,
      price_tolerance: 0.0001,
    })
  }
  const { id, version } = await compare('Meridian Global', (calls) => calls.map((call) => lineOf(call)))
  await invoices.change(admin, id, { version, state: 'accepted', note: 'Paid by bank transfer.' })
  await compare('Harbour Wholesale', disputedLines)

  const decks = createRateDecks({ ...at(0.5), jobs: { send: async () => {} } })
  const deck = {
    deck: 'prefix,price\n1,0.0059\n1212,0.0052\n1415,0.0061\n',
    mode: 'merge' as const,
    effective_at: nextMonday(now).toISOString(),
  }
  const liberty = ids.get('Liberty US') ?? 0
  const { token } = await decks.check(admin, 'trunk', liberty, { ...deck, search: '' })
  await decks.apply(admin, 'trunk', liberty, { ...deck, token, without_bad_lines: false })

  const figures = { addSomeQueued: async () => {} }
  const prices = createBulkPricing({ ...at(4), figures })
  const { change } = await prices.preview(admin, {
    percent: 25,
    floor: 0.002,
    lowest: 0,
    step: 0.001,
    basis: 'dearest',
    plans: ['Silver'],
    countries: ['BR', 'MX'],
    with_prefixes: false,
    with_free: false,
  })
  await prices.apply(admin, change.id)
  await createBulkPricing({ ...at(3), figures }).undo(admin, change.id)
}

const HEADER = 'Start time,Called number,Duration,Amount'

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const nextMonday = (now: Date): Date => {
  const today = startOfDay(now)
  return later(today, ((8 - today.getUTCDay()) % 7 || 7) * DAY)
}

type Billed = { seconds?: number; buyMicros?: bigint }

function lineOf(call: CdrRow, { seconds = call.seconds, buyMicros = call.buy_micros }: Billed = {}): string {
  const start = (call.answered_at ?? call.started_at).toISOString().slice(0, 19).replace('T', ' ')
  return [start, call.destination, seconds, formatExact(micros(buyMicros)).replace('$', '')].join(',')
}

/** Most calls are equal. Some are longer, dearer or missing, and two never happened. */
function disputedLines(calls: readonly CdrRow[]): string[] {
  const lines = calls.flatMap((call, index) => {
    if (index % 13 === 5) return []
    if (index % 9 === 3) return [lineOf(call, { buyMicros: call.buy_micros * 2n })]
    if (index % 11 === 7) {
      const seconds = call.seconds + 60
      return [
        lineOf(call, { seconds, buyMicros: (call.buy_micros * BigInt(seconds)) / BigInt(call.seconds || 1) }),
      ]
    }
    return [lineOf(call)]
  })
  const [last] = calls
  const unknown =
    last && [31, 58].map((minutes) => ({ ...last, answered_at: later(last.started_at, minutes * MINUTE) }))
  return [...lines, ...(unknown ?? []).map((call) => lineOf(call))]
}
