import { Refusal } from '@trunkline/contract/errors'
import { ROUTE_RATES_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { Route } from '@trunkline/contract/routes'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import { createPrefixIndex } from '@trunkline/domain/rating'
import { microsOf } from '../../../platform/amounts.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findPlansForUse } from '../plans/store.ts'
import { replaceRates } from '../prefix-rates/store.ts'
import { prefixRateOf, rateOf, type WirePrefixRate, type WireRate } from '../prefix-rates/wire.ts'
import { readTrunks } from '../snapshot/store.ts'
import { codeOf, dearerTrunks, servingTrunks } from './dearer-trunks.ts'
import { createRouteListing } from './listing.ts'
import {
  deleteRoute,
  findRoute,
  insertRoute,
  listRouteRates,
  lockRoute,
  unselectMisplaced,
  updateRoute,
} from './store.ts'
import { viewDearerTrunk, viewRoute } from './view.ts'

export type Routes = ReturnType<typeof createRoutes>

export type NewRoute = WireRate & {
  country: string
  name: string
  planname: string
  is_premium: boolean
  rates?: WirePrefixRate[] | undefined
  sells_below_cost: boolean
}
type RouteEdit = { [Field in keyof NewRoute]?: NewRoute[Field] | undefined } & {
  version?: number | undefined
}

type PriceCheck = WireRate & Pick<NewRoute, 'country' | 'planname' | 'rates'>

export function createRoutes(db: Database, clock: Clock, audit: Audit) {
  const listing = createRouteListing(db)

  async function planId(tx: Database, name: string): Promise<number> {
    const [plan] = await findPlansForUse(tx, [name])
    if (plan) return plan.id
    const fault = { field: 'planname', message: ownMessages.planUnknown }
    throw new Refusal('invalid_input', fault.message, [fault])
  }

  /** The current route for administrators. */
  async function show(tx: Database, caller: Caller, id: number): Promise<Route> {
    const row = requireFound(await findRoute(tx, id))
    const rates = await listRouteRates(tx, id)
    const facts = await listing.factsOf(tx, caller, [{ id, rate_count: rates[0]?.of_all ?? 0 }])
    return viewRoute(row, rates, facts(id))
  }

  return {
    list: listing.list,

    /** One route, for editing. */
    show: (caller: Caller, id: number): Promise<Route> => show(db, caller, id),

    /** Compares the price of a route with the trunks of its plan. */
    async check(caller: Caller, { country, planname, rates = [], ...rate }: PriceCheck) {
      requireAdmin(caller)
      const trunks = await readTrunks(db, { code: codeOf({ country }) })
      const route = {
        country,
        planId: await planId(db, planname),
        rate: rateOf(rate),
        prefixRates: createPrefixIndex(rates.map(prefixRateOf)),
      }
      return {
        dearer_trunks: dearerTrunks(route, trunks).map(viewDearerTrunk),
        serving_trunks: servingTrunks(route, trunks).length,
      }
    },

    create: (caller: Caller, { planname, rates = [], ...given }: NewRoute): Promise<Route> =>
      db.transaction().execute(async (tx) => {
        const now = clock.now()
        requireAdmin(caller)
        const plan_id = await planId(tx, planname)
        const { price, connect_fee, ...rest } = given
        const id = await insertRoute(tx, {
          ...rest,
          plan_id,
          price_micros: microsOf(price),
          connect_fee_micros: microsOf(connect_fee),
          created_at: now,
          updated_at: now,
        })
        await replaceRates(tx, 'route', id, rates.map(prefixRateOf))
        const route = await show(tx, caller, id)
        await audit.write(tx, caller, {
          ...auditEntry('route.create', id),
          before: null,
          after: auditValuesOf(route),
        })
        return route
      }),

    update: (caller: Caller, id: number, edit: RouteEdit): Promise<Route> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        const row = requireFound(await lockRoute(tx, id))
        const { version, planname, rates, price, connect_fee, ...rest } = edit
        requireUnchanged(row.version, version)
        const present = await listRouteRates(tx, id)
        if (rates && (present[0]?.of_all ?? 0) > ROUTE_RATES_MAX) throw tooLongToChange()
        const before = auditValuesOf(viewRoute(row, present, NOT_ASKED))
        await updateRoute(tx, id, {
          ...rest,
          ...(planname !== undefined && { plan_id: await planId(tx, planname) }),
          ...(price !== undefined && { price_micros: microsOf(price) }),
          ...(connect_fee !== undefined && { connect_fee_micros: microsOf(connect_fee) }),
          updated_at: clock.now(),
        })
        if (rates) await replaceRates(tx, 'route', id, rates.map(prefixRateOf))
        await unselectMisplaced(tx, owner, id)
        const route = await show(tx, caller, id)
        await audit.write(tx, caller, {
          ...auditEntry('route.update', id),
          before,
          after: auditValuesOf(route),
        })
        return route
      }),

    remove: (caller: Caller, id: number, version?: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        const row = requireFound(await lockRoute(tx, id))
        requireUnchanged(row.version, version)
        const before = auditValuesOf(viewRoute(row, await listRouteRates(tx, id), NOT_ASKED))
        await deleteRoute(tx, id)
        await audit.write(tx, caller, { ...auditEntry('route.delete', id), before, after: null })
      }),
  }
}

/** Clients only have the first rates of a long list, so saving them would delete the others. */
function tooLongToChange(): Refusal {
  const fault = { field: 'rates', message: ownMessages.ratesByFile }
  return new Refusal('invalid_input', fault.message, [fault])
}

/** The audit log needs neither. */
const NOT_ASKED = { selectedBy: 0, dearerTrunks: [] }

const auditEntry = (action: string, id: number) => ({ action, subject: `route ${id}` })

/** Values for the audit log, without selections and comparisons. */
function auditValuesOf({
  id: _id,
  country: _country,
  selected_by: _by,
  dearer_trunks: _dearer,
  ...values
}: Route) {
  return values
}
