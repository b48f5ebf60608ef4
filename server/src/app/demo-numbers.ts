import { system } from '@trunkline/domain/access'
import { parseNumber } from '@trunkline/domain/numbers'
import type { NumberType } from '@trunkline/domain/ringing'
import type { PastEvent } from '../features/calls/demo-history/service.ts'
import { lockRentalOfNumber, updateRental } from '../features/catalogue/numbers/rentals-store.ts'
import { createRenting } from '../features/catalogue/numbers/renting.ts'
import {
  countByStatus,
  deleteNumber,
  insertNumbers,
  listNumbersByDigits,
} from '../features/catalogue/numbers/store.ts'
import { listTrunks } from '../features/catalogue/trunks/store.ts'
import { findUserByName } from '../features/identity/users/store.ts'
import type { Ledger } from '../features/money/ledger/service.ts'
import { microsOf } from '../platform/amounts.ts'
import { type Clock, DAY, earlier } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'

/** Numbers of the demo, from ranges that regulators keep for fiction. Prices are dollars. */

type Range = {
  area: string
  type: NumberType
  trunk: string
  /** Digits of the first number. */
  first: number
  count: number
  monthly: number
  setup: number
  price: number
  costMonthly: number
  cost: number
  tags?: readonly string[]
}

const ranges: readonly Range[] = [
  {
    area: 'London',
    type: 'local',
    trunk: 'Albion London',
    first: 442079460120,
    count: 8,
    monthly: 2.5,
    setup: 0,
    price: 0.008,
    costMonthly: 0.9,
    cost: 0.003,
    tags: ['popular'],
  },
  {
    area: '',
    type: 'toll_free',
    trunk: 'Albion London',
    first: 448081570120,
    count: 3,
    monthly: 9,
    setup: 5,
    price: 0.045,
    costMonthly: 4,
    cost: 0.021,
  },
  {
    area: 'New York',
    type: 'local',
    trunk: 'Liberty US',
    first: 12125550140,
    count: 8,
    monthly: 1.5,
    setup: 0,
    price: 0.006,
    costMonthly: 0.5,
    cost: 0.0025,
    tags: ['popular'],
  },
  {
    area: 'San Francisco',
    type: 'local',
    trunk: 'Liberty US',
    first: 14155550150,
    count: 4,
    monthly: 1.5,
    setup: 0,
    price: 0.006,
    costMonthly: 0.5,
    cost: 0.0025,
  },
  {
    area: 'Toronto',
    type: 'local',
    trunk: 'Meridian Global',
    first: 14165550130,
    count: 4,
    monthly: 1.8,
    setup: 0,
    price: 0.007,
    costMonthly: 0.6,
    cost: 0.003,
  },
  {
    area: 'Berlin',
    type: 'local',
    trunk: 'Rheinfunk Frankfurt',
    first: 493023125120,
    count: 6,
    monthly: 3,
    setup: 1,
    price: 0.009,
    costMonthly: 1.1,
    cost: 0.004,
  },
  {
    area: 'Paris',
    type: 'local',
    trunk: 'Meridian Global',
    first: 33199001230,
    count: 5,
    monthly: 2.8,
    setup: 1,
    price: 0.009,
    costMonthly: 1,
    cost: 0.004,
  },
  {
    area: 'Sydney',
    type: 'local',
    trunk: 'Meridian Global',
    first: 61255501240,
    count: 4,
    monthly: 4.5,
    setup: 2,
    price: 0.014,
    costMonthly: 1.9,
    cost: 0.006,
  },
]

const numbersIn = ({ first, count }: Range): string[] =>
  Array.from({ length: count }, (_, at) => String(first + at))

export const demoNumbers: readonly string[] = ranges.flatMap(numbersIn)

/** Given to customers without a charge, so that a demo without payments has them too. */
export const demoRentals = [
  { username: 'alice', number: '+1 415 555 0150', area: 'San Francisco' },
  { username: 'alice', number: '+44 20 7946 0120', area: 'London' },
  { username: 'paula', number: '+44 20 7946 0121', area: 'London' },
  { username: 'paula', number: '+49 30 23125120', area: 'Berlin' },
] as const

const digitsOf = (number: string): string => number.replace(/\D/g, '')

const scope = system('demo')

/** Fills an empty inventory. */
export async function fillNumbers(tx: Database, clock: Clock, ledger: Ledger): Promise<void> {
  if ((await countByStatus(tx, scope, {})).size > 0) return
  const now = clock.now()
  const trunks = new Map((await listTrunks(tx, scope, now)).map(({ name, id }) => [name, id]))
  await insertNumbers(
    tx,
    ranges.flatMap((range) =>
      numbersIn(range).map((e164) => ({
        e164,
        country: parseNumber(`+${e164}`)?.country ?? '001',
        area: range.area,
        type: range.type,
        trunk_id: trunks.get(range.trunk) ?? null,
        monthly_micros: microsOf(range.monthly),
        setup_micros: microsOf(range.setup),
        price_micros: microsOf(range.price),
        cost_monthly_micros: microsOf(range.costMonthly),
        cost_micros: microsOf(range.cost),
        max_calls: 10,
        tags: [...(range.tags ?? [])],
        note: '',
      })),
    ),
    now,
  )
  for (const { username, number } of demoRentals)
    await rent(tx, clock, ledger, { username, e164: digitsOf(number), isCharged: false })
}

type DemoRental = { username: string; e164: string; isCharged: boolean }

/** Does nothing if the customer or the number is gone. */
async function rent(
  tx: Database,
  clock: Clock,
  ledger: Ledger,
  { username, e164, isCharged }: DemoRental,
): Promise<void> {
  const user = await findUserByName(tx, scope, username)
  const [number] = await listNumbersByDigits(tx, scope, [e164])
  if (!user || user.disabled_at !== null || number?.status !== 'available') return
  await createRenting(clock, ledger).rentWithin(tx, {
    numberId: number.id,
    userId: user.id,
    owner: scope,
    callerId: user.id,
    assignedBy: null,
    requestKey: `demo-${e164}`,
    isCharged,
    timeZone: 'UTC',
    check: () => {},
  })
}

/** Rented in the past and paid from the balance, for the statements. */
export const numberEvents = (db: Database, clock: Clock, ledger: Ledger, now: Date): PastEvent[] =>
  [
    { username: 'alice', e164: '12125550140', daysAgo: 18.5 },
    { username: 'paula', e164: '448081570120', daysAgo: 11.3 },
  ].map(({ daysAgo, ...rental }) => ({
    at: earlier(now, daysAgo * DAY),
    run: () => rent(db, clock, ledger, { ...rental, isCharged: true }),
  }))

/** Ends the rentals of the demo accounts and removes the demo numbers that nobody else rents. */
export async function closeNumbers(tx: Database, userIds: readonly number[], now: Date): Promise<void> {
  for (const { id, status, user_id } of await listNumbersByDigits(tx, scope, demoNumbers)) {
    const isDemoCustomer = user_id !== null && userIds.includes(user_id)
    if (status === 'rented' && !isDemoCustomer) continue
    const rental = await lockRentalOfNumber(tx, scope, id)
    if (rental)
      await updateRental(tx, scope, rental.id, { state: 'ended', ended_at: now, end_reason: 'released' })
    await deleteNumber(tx, scope, id)
  }
}
