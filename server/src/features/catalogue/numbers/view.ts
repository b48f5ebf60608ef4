import type { AdminNumber, AvailableNumber, RentedNumber } from '@trunkline/contract/numbers'
import { countryName } from '@trunkline/domain/countries'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { deadlinesOf, type RenewalFacts, type RenewalSettings } from '@trunkline/domain/rentals'
import { namedUser } from '../../identity/users/named-user.ts'
import type { RentalRow, RentedRow } from './rentals-store.ts'
import type { InventoryRow, NumberRow } from './store.ts'
import type { Usage } from './usage-store.ts'

export const dollarsOf = (amount: bigint): number => toWireNumber(micros(amount))

type Place = Pick<NumberRow, 'e164' | 'country' | 'area' | 'type'>
type Prices = Pick<NumberRow, 'monthly_micros' | 'setup_micros' | 'price_micros'>

const viewPlace = ({ e164, country, area, type }: Place) => ({
  number: `+${e164}`,
  country: countryName(country),
  country_code: country,
  area,
  type,
})

export const viewPrices = (row: Prices) => ({
  monthly: dollarsOf(row.monthly_micros),
  setup: dollarsOf(row.setup_micros),
  price: dollarsOf(row.price_micros),
})

export const viewAvailable = (row: NumberRow): AvailableNumber => ({
  id: row.id,
  ...viewPlace(row),
  ...viewPrices(row),
})

export const factsOf = (row: RentalRow): RenewalFacts => ({
  state: row.state,
  startedAt: row.started_at,
  periods: row.periods,
  cancels: row.cancels,
  warnedPeriod: row.warned_period,
  overdueSince: row.overdue_since,
  suspendedAt: row.suspended_at,
})

export function viewRented(row: RentedRow, settings: RenewalSettings): RentedNumber {
  const deadlines = deadlinesOf(factsOf(row), settings)
  return {
    id: row.id,
    ...viewPlace(row),
    ...viewPrices(row),
    state: row.state,
    started_at: row.started_at.toISOString(),
    paid_until: row.paid_until.toISOString(),
    cancels: row.cancels,
    suspends_at: deadlines?.suspendsAt.toISOString() ?? null,
    releases_at: deadlines?.releasesAt.toISOString() ?? null,
    ring_plan: row.ring_plan,
    records: row.records,
    version: row.version,
  }
}

const UNUSED: Usage = { calls: 0, missed: 0, seconds: 0, marginMicros: 0n }

export const viewInventory = (row: InventoryRow, usage: Usage = UNUSED): AdminNumber => ({
  id: row.id,
  ...viewPlace(row),
  ...viewPrices(row),
  cost_monthly: dollarsOf(row.cost_monthly_micros),
  cost: dollarsOf(row.cost_micros),
  max_calls: row.max_calls,
  tags: row.tags,
  note: row.note,
  status: row.status,
  trunk: row.trunk_id === null || row.trunk_name === null ? null : { id: row.trunk_id, name: row.trunk_name },
  user: namedUser(row.user_id, row.username),
  rental:
    row.rental_id === null
      ? null
      : {
          id: row.rental_id,
          state: row.rental_state,
          started_at: row.rental_started_at.toISOString(),
          paid_until: row.rental_paid_until.toISOString(),
          cancels: row.rental_cancels,
        },
  usage: {
    calls: usage.calls,
    missed: usage.missed,
    minutes: Math.round(usage.seconds / 6) / 10,
    margin: dollarsOf(usage.marginMicros),
  },
  version: row.version,
})
