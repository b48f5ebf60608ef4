import type { AdminNumber } from '@trunkline/contract/numbers'
import type { NumberType } from '@trunkline/domain/ringing'
import { microsOf } from '../../../platform/amounts.ts'
import type { InventoryValues } from './store.ts'

/** Values of a number as administrators send them, in dollars. */
export type GivenValues = {
  area: string
  type: NumberType
  trunk_id: number | null
  monthly: number
  setup: number
  price: number
  cost_monthly: number
  cost: number
  max_calls: number
  tags: string[]
  note: string
}
export type GivenChanges = { [Name in keyof GivenValues]?: GivenValues[Name] | undefined }

/** The columns of the values that are given. */
export function storedValuesOf(given: GivenValues): InventoryValues
export function storedValuesOf(given: GivenChanges): Partial<InventoryValues>
export function storedValuesOf(given: GivenChanges): Partial<InventoryValues> {
  const { area, type, trunk_id, monthly, setup, price, cost_monthly, cost, max_calls, tags, note } = given
  const stored = {
    area,
    type,
    trunk_id,
    monthly_micros: monthly === undefined ? undefined : microsOf(monthly),
    setup_micros: setup === undefined ? undefined : microsOf(setup),
    price_micros: price === undefined ? undefined : microsOf(price),
    cost_monthly_micros: cost_monthly === undefined ? undefined : microsOf(cost_monthly),
    cost_micros: cost === undefined ? undefined : microsOf(cost),
    max_calls,
    tags: tags && [...new Set(tags)],
    note,
  }
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined))
}

export const auditValuesOf = (number: AdminNumber): Record<string, unknown> => ({
  area: number.area,
  type: number.type,
  trunk: number.trunk?.name ?? null,
  monthly: number.monthly,
  setup: number.setup,
  price: number.price,
  cost_monthly: number.cost_monthly,
  cost: number.cost,
  max_calls: number.max_calls,
  tags: number.tags,
  note: number.note,
  status: number.status,
  customer: number.user?.username ?? null,
})
