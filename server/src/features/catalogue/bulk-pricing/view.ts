import type { PriceChange, PriceRow } from '@trunkline/contract/bulk-pricing'
import { countryName } from '@trunkline/domain/countries'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { marginOf } from '@trunkline/domain/pricing'
import type { Rate } from '@trunkline/domain/rating'
import { namedUser } from '../../identity/users/named-user.ts'
import { readRate } from '../prefix-rates/store.ts'
import type { ChangeRow, PriceRowStored } from './store.ts'

const wire = (amount: bigint): number => toWireNumber(micros(amount))

export const viewChange = (row: ChangeRow): PriceChange => ({
  id: row.id,
  state: row.undone_at ? 'undone' : row.applied_at ? 'applied' : 'preview',
  rule: row.rule,
  counts: row.counts,
  calls: row.calls,
  revenue: wire(row.revenue_micros),
  effect: wire(row.effect_micros),
  created_by: { id: row.actor_id, username: row.actor_name },
  created_at: row.created_at.toISOString(),
  applied_at: row.applied_at?.toISOString() ?? null,
  undone_at: row.undone_at?.toISOString() ?? null,
  undone_by: namedUser(row.undone_by, row.undoer_name),
  restored: row.restored,
  left: row.restored === null ? null : row.counts.changed - row.restored,
})

/** The rate that a row had, or would get. */
export const rateIn = (row: PriceRowStored, price_micros: bigint): Rate => readRate({ ...row, price_micros })

function viewMargin(row: PriceRowStored, price: bigint | null): PriceRow['margin_before'] {
  if (row.cost_micros === null || price === null) return null
  const { marginMicros, percentTenths } = marginOf(rateIn(row, price), micros(row.cost_micros))
  return {
    amount: toWireNumber(marginMicros),
    percent: percentTenths === null ? null : percentTenths / 10,
  }
}

export const viewRow = (row: PriceRowStored): PriceRow => ({
  route_id: row.route_id,
  country: countryName(row.country),
  name: row.route_name,
  planname: row.plan_name,
  prefix: row.prefix || null,
  skipped: row.skipped,
  trunk: row.trunk_name,
  cost: row.cost_micros === null ? null : wire(row.cost_micros),
  before: wire(row.before_micros),
  after: row.after_micros === null ? null : wire(row.after_micros),
  margin_before: viewMargin(row, row.before_micros),
  margin_after: viewMargin(row, row.after_micros),
  customers: row.customers,
  calls: row.calls,
  revenue: wire(row.revenue_micros),
  effect: wire(row.effect_micros),
  undo: row.undo,
})
