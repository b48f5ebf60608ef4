import type { Trunk, TrunkFigures } from '@trunkline/contract/trunks'
import { countryName } from '@trunkline/domain/countries'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { average, dollars, inMinutes, percent } from '../../../platform/figures.ts'
import type { TrunkFigures as Sums } from './figures-store.ts'
import type { TrunkRow } from './store.ts'

/** Public fields of a trunk. */
export const viewTrunk = (row: TrunkRow): Trunk => ({
  id: row.id,
  name: row.name,
  provider: '',
  status: isDown(row) ? 'inactive' : row.status,
  type: row.type,
  isPrimary: row.is_primary,
  capacity: row.capacity,
  used: row.used,
  country: row.country === null ? '' : countryName(row.country),
  country_code: row.country,
  premium: row.premium,
})

/** True if every switch reports it as down. */
export const isDown = (row: TrunkRow | undefined): boolean =>
  row !== undefined && row.health.length > 0 && row.health.every(({ is_up }) => !is_up)

/** The digest username of a carrier that calls us. */
export const carrierName = (id: number): string => `carrier~${id}`

/** All fields except the passwords. */
export const viewTrunkForAdmin = (row: TrunkRow): Trunk => ({
  ...viewTrunk(row),
  provider: row.provider,
  host: row.host,
  port: row.port,
  transport: row.transport,
  auth_username: row.auth_username,
  has_password: row.auth_password !== null,
  strip_digits: row.strip_digits,
  add_prefix: row.add_prefix,
  buy_rate: toWireNumber(micros(row.buy_rate_micros)),
  buy_connect_fee: toWireNumber(micros(row.buy_connect_fee_micros)),
  buy_first_increment: row.buy_first_increment,
  buy_next_increment: row.buy_next_increment,
  rate_count: row.rate_count,
  priority: row.priority,
  plans: row.plans,
  configured_status: row.status,
  incoming_sources: row.incoming_sources,
  incoming_country: row.incoming_country,
  incoming_prefix: row.incoming_prefix,
  incoming_username: carrierName(row.id),
  has_incoming_password: row.incoming_ha1 !== null,
  registers: row.registers,
  health: row.health,
  registrations: row.registers ? row.registrations : [],
  version: row.version,
})

/** Rates are null without attempts. */
export const viewServed = (sums: Sums | undefined): TrunkFigures['today'] => ({
  attempts: sums?.attempts ?? 0,
  answered: sums?.answered ?? 0,
  answer_rate: sums ? percent(sums.answered, sums.attempts) : null,
  reach_rate: sums ? percent(sums.answered + sums.unreached, sums.attempts) : null,
  average_duration: sums ? average(sums.seconds, sums.answered) : null,
  minutes: inMinutes(sums?.seconds ?? 0),
  buy_cost: dollars(sums?.buyMicros ?? 0n),
  margin: sums ? dollars(sums.costMicros - sums.buyMicros) : 0,
})
