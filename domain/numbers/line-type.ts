import type { NumberType, PhoneNumber as Parsed } from 'libphonenumber-js/max'

export const lineTypes = [
  'mobile',
  'landline',
  'landline_or_mobile',
  'toll_free',
  'premium_rate',
  'shared_cost',
  'voip',
  'personal',
  'satellite',
  'other',
] as const
export type LineType = (typeof lineTypes)[number]

const types: Readonly<Partial<Record<NonNullable<NumberType>, LineType>>> = {
  MOBILE: 'mobile',
  FIXED_LINE: 'landline',
  FIXED_LINE_OR_MOBILE: 'landline_or_mobile',
  TOLL_FREE: 'toll_free',
  PREMIUM_RATE: 'premium_rate',
  SHARED_COST: 'shared_cost',
  VOIP: 'voip',
  PERSONAL_NUMBER: 'personal',
}

/** Inmarsat, the networks behind +881 (Iridium, Globalstar), EMSAT and Thuraya. */
const SATELLITE = /^\+(870|881|88213|88216)/

export const lineTypeOf = (parsed: Parsed, type: NonNullable<NumberType>): LineType =>
  SATELLITE.test(parsed.number) ? 'satellite' : (types[type] ?? 'other')
