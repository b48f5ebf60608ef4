import { PAGE_MAX } from '@trunkline/contract/limits'
import type { Route } from '@trunkline/contract/routes'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { smaller } from '@trunkline/domain/money'
import { costOfMinute, createPrefixIndex } from '@trunkline/domain/rating'
import type { Route as RouteInCatalogue, Trunk } from '@trunkline/domain/routing'
import { createByVersion } from '../../../platform/by-version.ts'
import type { Database } from '../../../platform/database.ts'
import { yieldToEventLoop } from '../../../platform/event-loop.ts'
import { Shared } from '../../../platform/handler.ts'
import { pageOf } from '../../../platform/pages.ts'
import { readPrefixRate } from '../prefix-rates/store.ts'
import { readRoutes, readTrunks } from '../snapshot/store.ts'
import { codeOf, type DearerTrunk, dearerTrunks } from './dearer-trunks.ts'
import { type ListedRoute, listRoutes, type RouteFilter, routesVersion, trunksVersion } from './list-store.ts'
import { countSelections, listSuspectRates, type SuspectRate } from './store.ts'
import { type AdminFacts, viewListedRoute } from './view.ts'

/** Memory limit for the comparison of routes and trunks. */
const RATES_AT_ONCE = 10_000

type Sized = Pick<ListedRoute, 'id' | 'rate_count'>
type Page = { routes: Route[]; next: number | null }

/** Lists of routes. The complete list is read and serialized once per version of the catalogue and shared by all customers. */
export function createRouteListing(db: Database) {
  const forCustomers = createByVersion<Shared<Page>>()
  const rowsByVersion = createByVersion<ListedRoute[]>()
  const dearerByVersion = createByVersion<ReadonlyMap<number, readonly DearerTrunk[]>>()

  /** Trunks above the price of each route. Processes a few routes at a time and yields in between. */
  async function dearerOf(handle: Database, routes: readonly Sized[]) {
    const trunks = await readTrunks(handle, { number: '' })
    const found = new Map<number, readonly DearerTrunk[]>()
    for (const some of inParts(routes)) {
      const read = await readRoutes(handle, { ids: some.map(({ id }) => id) })
      const suspects = Map.groupBy(
        await listSuspectRates(handle, read.map(asked)),
        ({ route_id }) => route_id,
      )
      for (const route of read) {
        found.set(route.id, dearerTrunks(route, withRates(trunks, suspects.get(route.id) ?? [])))
        await yieldToEventLoop()
      }
    }
    return found
  }

  /** Additional data for administrators. */
  async function factsOf(
    handle: Database,
    caller: Caller,
    routes: readonly Sized[],
    dearer?: ReadonlyMap<number, readonly DearerTrunk[]>,
  ): Promise<(id: number) => AdminFacts> {
    const owner = everyonesData(caller)
    const ids = routes.map(({ id }) => id)
    const selections = await countSelections(handle, owner, ids)
    const dearerTrunks = dearer ?? (await dearerOf(handle, routes))
    return (id) => ({ selectedBy: selections.get(id) ?? 0, dearerTrunks: dearerTrunks.get(id) ?? [] })
  }

  async function all(caller: Caller): Promise<Page | Shared<Page>> {
    const version = await routesVersion(db)
    const read = () => rowsByVersion(version, () => listRoutes(db))
    if (!caller.isAdmin)
      return forCustomers(version, async () => {
        const routes = (await read()).map((row) => viewListedRoute(row))
        return new Shared({ routes, next: null })
      })
    const rows = await read()
    const catalogue = `${version} ${await trunksVersion(db)}`
    const dearer = await dearerByVersion(catalogue, () => dearerOf(db, rows))
    const facts = await factsOf(db, caller, rows, dearer)
    return { routes: rows.map((row) => viewListedRoute(row, facts(row.id))), next: null }
  }

  return {
    factsOf,

    async list(caller: Caller, filter: RouteFilter): Promise<Page | Shared<Page>> {
      if (Object.values(filter).every((value) => value === undefined)) return all(caller)
      const limit = filter.limit ?? PAGE_MAX
      const found = await listRoutes(db, { ...filter, limit: limit + 1 })
      const { shown, next } = pageOf(found, limit, ({ id }) => id)
      const facts = caller.isAdmin ? await factsOf(db, caller, shown) : () => undefined
      return { routes: shown.map((row) => viewListedRoute(row, facts(row.id))), next }
    },
  }
}

function* inParts(routes: readonly Sized[]): Generator<Sized[], undefined, undefined> {
  let part: Sized[] = []
  let rates = 0
  for (const route of routes) {
    if (part.length > 0 && rates + route.rate_count > RATES_AT_ONCE) {
      yield part
      part = []
      rates = 0
    }
    part.push(route)
    rates += route.rate_count
  }
  if (part.length > 0) yield part
}

const asked = (route: RouteInCatalogue) => ({
  id: route.id,
  code: codeOf(route),
  leastMicros: [...route.prefixRates.byPrefix.values()].reduce(
    (least, rate) => smaller(least, costOfMinute(rate)),
    costOfMinute(route.rate),
  ),
})

const withRates = (trunks: readonly Trunk[], rates: readonly SuspectRate[]): Trunk[] => {
  const ofTrunk = Map.groupBy(rates, ({ trunk_id }) => trunk_id)
  return trunks.map((trunk) => ({
    ...trunk,
    buyRates: createPrefixIndex((ofTrunk.get(trunk.id) ?? []).map(readPrefixRate)),
  }))
}
