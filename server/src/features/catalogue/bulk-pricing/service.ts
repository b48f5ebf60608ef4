import type { Readable } from 'node:stream'
import type { AnswerOf } from '@trunkline/contract'
import type { PriceChange, PricingRule, ShownPrices } from '@trunkline/contract/bulk-pricing'
import { Refusal } from '@trunkline/contract/errors'
import { BULK_PRICES_MAX, RATES_PAGE_DEFAULT } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findPlansForUse } from '../plans/store.ts'
import { countSelections } from '../routes/store.ts'
import { readRoutes, readTrunks } from '../snapshot/store.ts'
import { costDigits, type Facts, isChanged, type PlannedPrice, planPrices, totalsOf } from './plan.ts'
import {
  countCustomers,
  findScope,
  lockPrices,
  lockRoutes,
  NO_CALLS,
  type Scope,
  setPrices,
  sumCalls,
} from './prices-store.ts'
import {
  deletePreviews,
  fileOfRows,
  findChange,
  insertChange,
  listAllRows,
  listApplied,
  listRows,
  lockChange,
  markApplied,
  markRestored,
  markUndone,
  type PriceRowStored,
} from './store.ts'
import { viewChange, viewRow } from './view.ts'

type Deps = {
  db: Database
  clock: Clock
  audit: Audit
  exports: Exports
  /** Figures of calls, which lag behind by up to a minute. */
  figures: { addSomeQueued(): Promise<void> }
}

export type BulkPricing = ReturnType<typeof createBulkPricing>

/** How long a preview can be applied. */
const KEPT_FOR = DAY
/** Previews per administrator. A screen makes one for each edit of the rule. */
const KEPT_PREVIEWS = 5
const FIGURES_DAYS = 30
/** Prices that a conflict names. */
const NAMED = 3

type Rows = AnswerOf<'GET /api/admin/bulk-pricing/:id/rows'>

/** Changes many prices by a rule: a stored preview, then exactly its prices in one transaction, and back. */
export function createBulkPricing({ db, clock, audit, exports, figures }: Deps) {
  async function scopeOf(handle: Database, { plans, countries }: PricingRule): Promise<Scope> {
    const found = plans.length === 0 ? [] : await findPlansForUse(handle, plans)
    const known = new Set(found.map(({ name }) => name.toLowerCase()))
    if (plans.some((name) => !known.has(name.toLowerCase()))) {
      const fault = { field: 'plans', message: ownMessages.planUnknown }
      throw new Refusal('invalid_input', fault.message, [fault])
    }
    return { planIds: found.map(({ id }) => id), countries }
  }

  async function plan(
    handle: Database,
    rule: PricingRule,
    scope: Scope,
    factsOf: (ids: readonly number[]) => Promise<Facts>,
  ): Promise<PlannedPrice[]> {
    const { ids, rates } = await findScope(handle, scope)
    if (ids.length + (rule.with_prefixes ? rates : 0) > BULK_PRICES_MAX) throw new Refusal('too_many_prices')
    const routes = await readRoutes(handle, { ids, ...(!rule.with_prefixes && { number: '' }) })
    const numbers = routes.flatMap((route) => [costDigits(route), ...route.prefixRates.byPrefix.keys()])
    const trunks = await readTrunks(handle, { numbers })
    return planPrices(rule, routes, trunks, await factsOf(ids))
  }

  const factsOf =
    (handle: Database, caller: Caller) =>
    async (ids: readonly number[]): Promise<Facts> => {
      const owner = everyonesData(caller)
      const customers = await countSelections(handle, owner, ids)
      const sumsOf = await sumCalls(handle, owner, ids, earlier(clock.now(), FIGURES_DAYS * DAY))
      return { customersOf: (id) => customers.get(id) ?? 0, sumsOf }
    }

  async function findVisible(caller: Caller, id: number): Promise<void> {
    requireAdmin(caller)
    requireFound(await findChange(db, caller.userId, id))
  }

  async function show(handle: Database, caller: Caller, id: number): Promise<PriceChange> {
    return viewChange(requireFound(await findChange(handle, caller.userId, id)))
  }

  const rowsOf = async (
    handle: Database,
    id: number,
    query: { show: ShownPrices; after: number; limit: number },
  ): Promise<Rows> => {
    const found = await listRows(handle, id, { ...query, limit: query.limit + 1 })
    const { shown, next } = pageOf(found, query.limit, ({ place }) => place)
    return { rows: shown.map(viewRow), next }
  }

  return {
    async preview(
      caller: Caller,
      rule: PricingRule,
    ): Promise<AnswerOf<'POST /api/admin/bulk-pricing/preview'>> {
      const owner = everyonesData(caller)
      await figures.addSomeQueued()
      return db.transaction().execute(async (tx) => {
        const now = clock.now()
        const planned = await plan(tx, rule, await scopeOf(tx, rule), factsOf(tx, caller))
        const { counts, ...sums } = totalsOf(planned)
        const changing = new Set(planned.filter(isChanged).map(({ routeId }) => routeId))
        const customers = await countCustomers(tx, owner, [...changing])
        const change = { actorId: caller.userId, rule, counts: { ...counts, customers }, ...sums }
        const id = await insertChange(tx, owner, change, planned, now)
        await deletePreviews(tx, caller.userId, { before: earlier(now, KEPT_FOR), kept: KEPT_PREVIEWS })
        const first = await rowsOf(tx, id, { show: 'changed', after: 0, limit: RATES_PAGE_DEFAULT })
        return { change: await show(tx, caller, id), ...first }
      })
    },

    async rows(
      caller: Caller,
      id: number,
      query: { show: ShownPrices; after: number; limit: number },
    ): Promise<Rows> {
      await findVisible(caller, id)
      return rowsOf(db, id, query)
    },

    async csv(caller: Caller, id: number, shown: ShownPrices): Promise<Readable> {
      await findVisible(caller, id)
      return exports.begin(caller.userId, fileOfRows(db, id, shown))
    },

    async list(caller: Caller, { before, limit }: { before?: number | undefined; limit: number }) {
      const found = await listApplied(db, everyonesData(caller), { before, limit: limit + 1 })
      const { shown, next } = pageOf(found, limit, ({ id }) => id)
      return { changes: shown.map(viewChange), next }
    },

    /** Plans again under the locks of routes and trunks, and refuses if the plan differs from the preview. */
    apply: (caller: Caller, id: number): Promise<PriceChange> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        const change = requireFound(await lockChange(tx, caller.userId, id))
        if (change.applied_at !== null) return viewChange(change)
        const scope = await scopeOf(tx, change.rule)
        await lockPrices(tx, scope)
        const previewed = await listAllRows(tx, id)
        const planned = await plan(tx, change.rule, scope, async () => NO_FACTS)
        const differing = differencesOf(previewed, planned)
        if (differing.length > 0) throw new Refusal('changed_meanwhile', sayChanged(differing))

        const now = clock.now()
        await setPrices(tx, planned.filter(isChanged).map(newPriceOf), now)
        await markApplied(tx, owner, id, now)
        await audit.write(tx, caller, {
          ...auditEntry('prices.change', id),
          before: null,
          after: { ...change.rule, ...change.counts },
        })
        return show(tx, caller, id)
      }),

    undo: (caller: Caller, id: number): Promise<PriceChange> =>
      db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        const change = requireFound(await lockChange(tx, caller.userId, id))
        if (change.applied_at === null) throw new Refusal('prices_not_applied')
        if (change.undone_at !== null) return viewChange(change)
        const rows = await listAllRows(tx, id)
        await lockRoutes(tx, [...new Set(rows.map(({ route_id }) => route_id))])
        const earlierPrices = await markRestored(tx, id)
        const now = clock.now()
        await setPrices(tx, earlierPrices, now)
        await markUndone(tx, caller.userId, id, { restored: earlierPrices.length, now })
        await audit.write(tx, caller, {
          ...auditEntry('prices.undo', id),
          before: null,
          after: { restored: earlierPrices.length, left: change.counts.changed - earlierPrices.length },
        })
        return show(tx, caller, id)
      }),
  }
}

/** Customers and calls do not decide prices. */
const NO_FACTS: Facts = { customersOf: () => 0, sumsOf: () => NO_CALLS }

const newPriceOf = ({ routeId, prefix, afterMicros }: PlannedPrice) => ({
  routeId,
  prefix,
  priceMicros: afterMicros ?? 0n,
})

/** Prices that are not as in the preview: another price, cost or terms, new or gone. */
function differencesOf(previewed: readonly PriceRowStored[], planned: readonly PlannedPrice[]): string[] {
  const keyOf = (routeId: number, prefix: string) => `${routeId} ${prefix}`
  const before = new Map(previewed.map((row) => [keyOf(row.route_id, row.prefix), row]))
  const changed = planned.filter((price) => {
    const key = keyOf(price.routeId, price.prefix)
    const was = before.get(key)
    before.delete(key)
    return !was || !isSame(was, price)
  })
  return [
    ...changed.map(({ routeName, planName, prefix }) => nameOf(routeName, planName, prefix)),
    ...[...before.values()].map((row) => nameOf(row.route_name, row.plan_name, row.prefix)),
  ]
}

const isSame = (was: PriceRowStored, { rate, ...price }: PlannedPrice): boolean =>
  was.before_micros === rate.priceMicros &&
  was.connect_fee_micros === rate.connectFeeMicros &&
  was.first_increment === rate.firstIncrement &&
  was.next_increment === rate.nextIncrement &&
  was.cost_micros === price.costMicros &&
  was.after_micros === price.afterMicros &&
  was.skipped === price.skipped

const nameOf = (route: string, plan: string, prefix: string): string =>
  `${route} (${plan})${prefix && ` +${prefix}`}`

function sayChanged(names: readonly string[]): string {
  const others = names.length - NAMED
  const many = names.length === 1 ? '1 price or cost has' : `${names.length} prices or costs have`
  const named = `${names.slice(0, NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  return `Nothing was applied. ${many} changed since the preview: ${named}. Look at a new preview.`
}

const auditEntry = (action: string, id: number) => ({ action, subject: `price change ${id}` })
