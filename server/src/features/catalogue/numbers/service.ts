import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import type { RentedNumber } from '@trunkline/contract/numbers'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import { countryCode, countryName } from '@trunkline/domain/countries'
import type { NumberType, RingPlan } from '@trunkline/domain/ringing'
import { microsOf } from '../../../platform/amounts.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import { lockPublishedFlows } from '../flows/store.ts'
import { findRental, findTrustedAddresses, listRentals, lockRental, updateRental } from './rentals-store.ts'
import type { Renting } from './renting.ts'
import { checkRingPlan, flowsOf } from './ring-plan-check.ts'
import { readRenewalSettings } from './settings.ts'
import { countRentable, listRentable, type NumberRow } from './store.ts'
import { viewAvailable, viewRented } from './view.ts'

export type Numbers = ReturnType<typeof createNumbers>

type Search = {
  country?: string | undefined
  type?: NumberType | undefined
  area?: string | undefined
  digits?: string | undefined
  after?: number | undefined
  limit: number
}
type Rent = {
  id: number
  monthly: number
  setup: number
  price: number
  request_key: string
  time_zone?: string | undefined
}

/** Numbers for customers. */
export function createNumbers(db: Database, renting: Renting) {
  async function show(caller: Caller, id: number): Promise<RentedNumber> {
    const row = requireFound(await findRental(db, ownDataOf(caller), id))
    return viewRented(row, await readRenewalSettings(db))
  }

  return {
    async own(caller: Caller): Promise<RentedNumber[]> {
      const settings = await readRenewalSettings(db)
      return (await listRentals(db, ownDataOf(caller))).map((row) => viewRented(row, settings))
    },

    async available(
      caller: Caller,
      { country: given, digits, after, limit, ...filter }: Search,
    ): Promise<AnswerOf<'GET /api/numbers/available'>> {
      const owner = ownDataOf(caller)
      // An unknown country matches nothing.
      const country = given ? (countryCode(given) ?? given) : undefined
      const rows = await listRentable(
        db,
        owner,
        { ...filter, country, digits: digits?.replace(/\D/g, '') },
        { after, limit: limit + 1 },
      )
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      const countries = (await countRentable(db, owner))
        .map(({ country: code, count }) => ({ code, name: countryName(code), count }))
        .sort((left, right) => left.name.localeCompare(right.name, 'en'))
      return { numbers: shown.map(viewAvailable), next, countries }
    },

    async rent(caller: Caller, request: Rent): Promise<RentedNumber> {
      const { rentalId } = await db.transaction().execute((tx) =>
        renting.rentWithin(tx, {
          numberId: request.id,
          userId: caller.userId,
          owner: ownDataOf(caller),
          callerId: caller.userId,
          assignedBy: null,
          requestKey: request.request_key,
          isCharged: true,
          timeZone: timeZoneOf(request.time_zone),
          check: (number) => checkPrices(number, request),
        }),
      )
      return show(caller, rentalId)
    },

    async changePlan(
      caller: Caller,
      id: number,
      { ring_plan, version }: { ring_plan: RingPlan; version: number },
    ): Promise<RentedNumber> {
      const owner = ownDataOf(caller)
      await db.transaction().execute(async (tx) => {
        const rental = requireFound(await lockRental(tx, owner, id))
        requireUnchanged(rental.version, version)
        checkRingPlan(ring_plan, rental.e164, {
          trusted: await findTrustedAddresses(tx, rental.user_id),
          publishedFlows: await lockPublishedFlows(tx, rental.user_id, flowsOf(ring_plan)),
        })
        await updateRental(tx, owner, id, { ring_plan: JSON.stringify(ring_plan), version: version + 1 })
      })
      return show(caller, id)
    },

    async setCancels(caller: Caller, id: number, cancels: boolean): Promise<RentedNumber> {
      const owner = ownDataOf(caller)
      await db.transaction().execute(async (tx) => {
        const rental = requireFound(await lockRental(tx, owner, id))
        if (rental.cancels !== cancels)
          await updateRental(tx, owner, id, { cancels, version: rental.version + 1 })
      })
      return show(caller, id)
    },
  }
}

function checkPrices(number: NumberRow, seen: Pick<Rent, 'monthly' | 'setup' | 'price'>): void {
  const isSame =
    number.monthly_micros === microsOf(seen.monthly) &&
    number.setup_micros === microsOf(seen.setup) &&
    number.price_micros === microsOf(seen.price)
  if (!isSame) throw new Refusal('number_price_changed')
}

/** The browser sends its own zone. An unknown one must not refuse the rental. */
function timeZoneOf(given: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
