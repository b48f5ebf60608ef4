import type { DialedCountry } from './numbers.ts'

type RentedNumber = { e164: string; rentedDaysAgo: number; callsPerDay: number }

/** Call patterns of a demo customer. */
export interface Customer {
  username: string
  /** Share of all generated calls. */
  share: number
  /** Time zone of their working day. */
  utcOffsetHours: number
  /** Calls on a Saturday or Sunday relative to a weekday. */
  weekend: number
  countries: Partial<Record<DialedCountry, number>>
  answered: number
  medianSeconds: number
  /** Age in days of the last call of a former customer, who makes no live calls. */
  leftDaysAgo?: number
  /** A rented number that is called this often on a weekday. */
  number?: RentedNumber
  /** From ranges reserved for documentation. */
  phones: { address: string; device: string }[]
}

export const customers: readonly Customer[] = [
  {
    username: 'alice',
    share: 16,
    utcOffsetHours: -8,
    weekend: 0.4,
    answered: 0.64,
    medianSeconds: 85,
    countries: { US: 70, CA: 9, GB: 8, MX: 6, AU: 4, DE: 3 },
    number: { e164: '12125550140', rentedDaysAgo: 18.4, callsPerDay: 9 },
    phones: [
      { address: '198.51.100.21', device: 'Yealink SIP-T46U 108.86.0.118' },
      { address: '198.51.100.22', device: 'Zoiper 5.6.4' },
    ],
  },
  {
    username: 'paula',
    share: 18,
    utcOffsetHours: 0,
    weekend: 0.6,
    answered: 0.66,
    medianSeconds: 115,
    countries: { GB: 38, FR: 18, ES: 13, US: 10, DE: 8, NL: 6, JP: 4, AU: 3 },
    number: { e164: '448081570120', rentedDaysAgo: 11.2, callsPerDay: 14 },
    phones: [
      { address: '203.0.113.40', device: 'Grandstream GXP2170 1.0.11.84' },
      { address: '203.0.113.41', device: 'Grandstream GXP2170 1.0.11.84' },
    ],
  },
  {
    username: 'northwind',
    share: 20,
    utcOffsetHours: 1,
    weekend: 0.3,
    answered: 0.63,
    medianSeconds: 80,
    countries: { DE: 44, NL: 16, GB: 14, FR: 12, ES: 6, US: 5, IN: 3 },
    phones: [{ address: '192.0.2.10', device: 'FPBX-17.0.19(20.9.3)' }],
  },
  {
    username: 'acme-dialer',
    share: 30,
    utcOffsetHours: -5,
    weekend: 0.4,
    answered: 0.42,
    medianSeconds: 24,
    countries: { US: 84, CA: 12, GB: 4 },
    phones: [{ address: '192.0.2.77', device: 'VICIdial 2.14' }],
  },
  {
    username: 'contoso-support',
    share: 20,
    utcOffsetHours: 10,
    weekend: 0.85,
    answered: 0.68,
    medianSeconds: 135,
    countries: { AU: 46, IN: 20, US: 12, GB: 10, JP: 6, CA: 6 },
    phones: [
      { address: '203.0.113.130', device: 'Asterisk PBX 22.2.0' },
      { address: '203.0.113.131', device: 'Linphone Desktop 5.2.6' },
    ],
  },
  {
    username: 'harbor-dental',
    share: 4,
    utcOffsetHours: -6,
    weekend: 0.02,
    answered: 0.82,
    medianSeconds: 150,
    countries: { US: 97, CA: 3 },
    phones: [{ address: '198.51.100.64', device: 'Yealink SIP-T33G 124.86.0.75' }],
  },
  {
    username: 'globe-imports',
    share: 9,
    utcOffsetHours: 1,
    weekend: 0.2,
    answered: 0.66,
    medianSeconds: 190,
    countries: { BR: 34, IN: 26, JP: 16, MX: 12, AU: 8, US: 4 },
    phones: [
      { address: '203.0.113.88', device: 'snomD785/10.1.184.15' },
      { address: '203.0.113.89', device: 'MicroSIP/3.21.5' },
    ],
  },
  {
    username: 'pixel-rentals',
    share: 4,
    utcOffsetHours: 2,
    weekend: 0.7,
    answered: 0.6,
    medianSeconds: 70,
    countries: { ES: 52, FR: 28, GB: 20 },
    phones: [{ address: '198.51.100.140', device: 'Zoiper 5.6.4' }],
  },
  {
    username: 'oldtown-cafe',
    share: 4,
    utcOffsetHours: 1,
    weekend: 0.9,
    answered: 0.7,
    medianSeconds: 60,
    leftDaysAgo: 34,
    countries: { NL: 80, DE: 20 },
    phones: [{ address: '192.0.2.201', device: 'Fritz!Box 7590 AX' }],
  },
]

/** Customers that still make calls. */
export const activeCustomers: readonly Customer[] = customers.filter(
  ({ leftDaysAgo }) => leftDaysAgo === undefined,
)

/** Relative number of calls in each hour of a working day. */
const HOURS = [3, 2, 2, 2, 3, 6, 14, 32, 66, 92, 100, 94, 70, 76, 95, 98, 88, 64, 40, 26, 18, 12, 8, 5]
const HOURS_SUM = HOURS.reduce((sum, hour) => sum + hour)

/** Share of a weekday's calls in this hour; lower on weekends. */
export function activity({ utcOffsetHours, weekend }: Customer, at: number): number {
  const local = new Date(at + utcOffsetHours * 3_600_000)
  const isWeekend = local.getUTCDay() === 0 || local.getUTCDay() === 6
  return ((HOURS[local.getUTCHours()] ?? 0) / HOURS_SUM) * (isWeekend ? weekend : 1)
}

const SHARES = customers.reduce((sum, { share }) => sum + share, 0)

/**
 * Expected calls of a customer in this hour, if all customers make `perDay` calls on a weekday. `quietest` is the minimum share
 * of an hour.
 */
export const expectedPerHour = (customer: Customer, at: number, perDay: number, quietest = 0): number =>
  (perDay * customer.share * Math.max(quietest, activity(customer, at))) / SHARES
