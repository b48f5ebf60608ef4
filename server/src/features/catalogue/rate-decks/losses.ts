import type { Loss } from '@trunkline/contract/rate-decks'
import { countryName } from '@trunkline/domain/countries'
import { toWireNumber } from '@trunkline/domain/money'
import { createPrefixIndex, type PrefixRate } from '@trunkline/domain/rating'
import type { Route, Trunk } from '@trunkline/domain/routing'
import type { Database } from '../../../platform/database.ts'
import { yieldToEventLoop } from '../../../platform/event-loop.ts'
import type { Shelf } from '../prefix-rates/store.ts'
import { codeOf, lossesOf, type Loss as PrefixLoss, servingTrunks } from '../routes/dearer-trunks.ts'
import { readRoutes, readTrunks } from '../snapshot/store.ts'

/** Limit, because each loss can take a millisecond to find. */
const MAX_COUNTED = 500
const MAX_EXAMPLES = 5

/** Routes that would be sold below the cost of their trunks with these rates. */
export async function lossesWith(
  db: Database,
  shelf: Shelf,
  id: number,
  rates: readonly PrefixRate[],
): Promise<Loss[]> {
  const losses: Loss[] = []
  for (const [route, trunk] of await pairsOf(db, shelf, id, rates)) {
    const loss = lossOf(route, trunk)
    if (loss) losses.push(loss)
    await yieldToEventLoop()
  }
  return losses
}

async function pairsOf(
  db: Database,
  shelf: Shelf,
  id: number,
  rates: readonly PrefixRate[],
): Promise<[Route, Trunk][]> {
  if (shelf === 'trunk') {
    const [trunk] = await readTrunks(db, { id, number: '' })
    if (!trunk) return []
    const repriced = { ...trunk, buyRates: createPrefixIndex(rates) }
    const routes = await readRoutes(db)
    return routes
      .filter((route) => servingTrunks(route, [trunk]).length > 0)
      .map((route) => [route, repriced])
  }
  const [route] = await readRoutes(db, { id, number: '' })
  if (!route) return []
  const repriced = { ...route, prefixRates: createPrefixIndex(rates) }
  const trunks = await readTrunks(db, { code: codeOf(route) })
  return servingTrunks(route, trunks).map((trunk) => [repriced, trunk])
}

function lossOf(route: Route, trunk: Trunk): Loss | null {
  const found: PrefixLoss[] = []
  for (const loss of lossesOf(route, trunk)) if (found.push(loss) > MAX_COUNTED) break
  if (found.length === 0) return null
  const worst = found.toSorted((left, right) =>
    Number(right.buyMicros - right.priceMicros - (left.buyMicros - left.priceMicros)),
  )
  return {
    route: { id: route.id, name: route.name, country: countryName(route.country) },
    trunk: { id: trunk.id, name: trunk.name },
    prefixes: Math.min(found.length, MAX_COUNTED),
    is_more: found.length > MAX_COUNTED,
    examples: worst.slice(0, MAX_EXAMPLES).map(({ prefix, buyMicros, priceMicros }) => ({
      prefix,
      buy: toWireNumber(buyMicros),
      sell: toWireNumber(priceMicros),
    })),
  }
}
