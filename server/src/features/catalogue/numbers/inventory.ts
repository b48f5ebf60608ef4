import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { AdminNumber } from '@trunkline/contract/numbers'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { countryCode } from '@trunkline/domain/countries'
import { parseNumber } from '@trunkline/domain/numbers'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import { auditValuesOf, type GivenChanges, type GivenValues, storedValuesOf } from './inventory-values.ts'
import type { Renewals } from './renewals.ts'
import { lockRentalOfNumber } from './rentals-store.ts'
import type { Renting } from './renting.ts'
import {
  countByStatus,
  deleteNumber,
  findInventory,
  findTrunkName,
  type InventoryFilter,
  insertNumber,
  listInventory,
  listNumbersByDigits,
  lockInventory,
  lockNumber,
  updateNumber,
} from './store.ts'
import { sumUsage } from './usage-store.ts'
import { viewInventory } from './view.ts'

export type Inventory = ReturnType<typeof createInventory>

type Filter = InventoryFilter & { after?: number | undefined; limit: number }
type NewNumber = GivenValues & { number: string; country: string | null }
type Change = GivenChanges & {
  status?: 'available' | 'reserved' | 'blocked' | undefined
  user_id?: number | null | undefined
  version: number
}

const USAGE_DAYS = 30

type Deps = {
  db: Database
  clock: Clock
  audit: Audit
  renting: Renting
  renewals: Pick<Renewals, 'end'>
}

/** The inventory of numbers, for administrators. */
export function createInventory({ db, clock, audit, renting, renewals }: Deps) {
  async function show(handle: Database, caller: Caller, id: number): Promise<AdminNumber> {
    const scope = everyonesData(caller)
    const row = requireFound(await findInventory(handle, scope, id))
    const usage = await sumUsage(handle, scope, [id], earlier(clock.now(), USAGE_DAYS * DAY))
    return viewInventory(row, usage.get(id))
  }

  async function checkTrunk(tx: Database, trunkId: number | null | undefined): Promise<void> {
    if (trunkId != null && (await findTrunkName(tx, trunkId)) === undefined)
      throw fault('trunk_id', ownMessages.trunkGone)
  }

  /** Status and customer of a number that nobody rents. A number keeps its customer only while it is reserved. */
  async function placeAfter(
    tx: Database,
    caller: Caller,
    before: AdminNumber,
    { status: given, user_id: userId }: Change,
  ) {
    if (given === undefined && userId === undefined) return {}
    if (before.status === 'rented') throw new Refusal('number_rented')
    const status = given ?? before.status
    if (status !== 'reserved') {
      if (userId != null) throw fault('user_id', ownMessages.reservedOnly)
      return { status, user_id: null }
    }
    if (userId != null) {
      const user = await findUserById(tx, everyonesData(caller), userId)
      if (!user || user.disabled_at !== null) throw fault('user_id', ownMessages.customerUnknown)
    }
    return { status, ...(userId !== undefined && { user_id: userId }) }
  }

  return {
    async list(
      caller: Caller,
      { after, limit, country: given, ...rest }: Filter,
    ): Promise<AnswerOf<'GET /api/admin/numbers'>> {
      const scope = everyonesData(caller)
      const filter = { ...rest, country: given ? (countryCode(given) ?? given) : undefined }
      const rows = await listInventory(db, scope, filter, { after, limit: limit + 1 })
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      const since = earlier(clock.now(), USAGE_DAYS * DAY)
      const usage = await sumUsage(
        db,
        scope,
        shown.map(({ id }) => id),
        since,
      )
      const counted = await countByStatus(db, scope, filter)
      const counts = {
        available: counted.get('available') ?? 0,
        reserved: counted.get('reserved') ?? 0,
        blocked: counted.get('blocked') ?? 0,
        rented: counted.get('rented') ?? 0,
      }
      const all = counts.available + counts.reserved + counts.blocked + counts.rented
      return {
        numbers: shown.map((row) => viewInventory(row, usage.get(row.id))),
        next,
        counts: { all, ...counts },
      }
    },

    create: (caller: Caller, { number, country, ...values }: NewNumber): Promise<AdminNumber> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const parsed = parseNumber(number, country)
        if (!parsed) throw fault('number', ownMessages.numberInvalid)
        if (country !== null && parsed.country !== country)
          throw fault('country', ownMessages.numberCountryDiffers)
        await lockInventory(tx, scope)
        if ((await listNumbersByDigits(tx, scope, [parsed.e164])).length > 0)
          throw new Refusal('number_exists')
        await checkTrunk(tx, values.trunk_id)
        const id = await insertNumber(tx, {
          ...storedValuesOf(values),
          e164: parsed.e164,
          country: parsed.country,
          status: 'available',
          created_at: clock.now(),
        })
        const after = await show(tx, caller, id)
        await write(tx, caller, 'number.create', after, { after: auditValuesOf(after) })
        return after
      }),

    update: (caller: Caller, id: number, change: Change): Promise<AdminNumber> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const row = requireFound(await lockNumber(tx, scope, id))
        requireUnchanged(row.version, change.version)
        const before = await show(tx, caller, id)
        const { version, status, user_id, ...values } = change
        await checkTrunk(tx, values.trunk_id)
        await updateNumber(tx, scope, id, {
          ...storedValuesOf(values),
          ...(await placeAfter(tx, caller, before, change)),
        })
        const after = await show(tx, caller, id)
        await write(tx, caller, 'number.update', after, {
          before: auditValuesOf(before),
          after: auditValuesOf(after),
        })
        return after
      }),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const row = requireFound(await lockNumber(tx, scope, id))
        if (row.status === 'rented') throw new Refusal('number_rented')
        const before = await show(tx, caller, id)
        await deleteNumber(tx, scope, id)
        await write(tx, caller, 'number.delete', before, { before: auditValuesOf(before) })
      }),

    assign: (
      caller: Caller,
      id: number,
      { user_id: userId, charge, request_key }: { user_id: number; charge: boolean; request_key: string },
    ): Promise<AdminNumber> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const { rentalId, isRepeat } = await renting.rentWithin(tx, {
          numberId: id,
          userId,
          owner: scope,
          callerId: caller.userId,
          assignedBy: caller.userId,
          requestKey: request_key,
          isCharged: charge,
          timeZone: 'UTC',
          check: () => {},
        })
        const after = await show(tx, caller, id)
        if (!isRepeat)
          await write(tx, caller, 'number.assign', after, {
            userId,
            after: { ...auditValuesOf(after), rental: rentalId, charged: charge },
          })
        return after
      }),

    release: (caller: Caller, id: number, reason: string): Promise<AdminNumber> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        requireFound(await lockNumber(tx, scope, id))
        const rental = requireFound(await lockRentalOfNumber(tx, scope, id))
        const before = await show(tx, caller, id)
        await renewals.end(tx, rental, 'released')
        const after = await show(tx, caller, id)
        await write(tx, caller, 'number.release', after, {
          userId: rental.user_id,
          before: auditValuesOf(before),
          after: auditValuesOf(after),
          reason: reason === '' ? null : reason,
        })
        return after
      }),
  }

  async function write(
    tx: Database,
    caller: Caller,
    action: string,
    { number, user }: AdminNumber,
    {
      userId = user?.id ?? null,
      before = null,
      after = null,
      reason = null,
    }: {
      userId?: number | null
      before?: Record<string, unknown> | null
      after?: Record<string, unknown> | null
      reason?: string | null
    },
  ): Promise<void> {
    await audit.write(tx, caller, { action, subject: `number ${number}`, userId, before, after, reason })
  }
}

const fault = (field: string, message: string): Refusal =>
  new Refusal('invalid_input', message, [{ field, message }])
