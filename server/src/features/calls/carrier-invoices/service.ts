import type { Readable } from 'node:stream'
import type { CarrierInvoice, InvoiceCall, UploadedInvoice } from '@trunkline/contract/carrier-invoices'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import type { DifferenceKind } from '@trunkline/domain/carrier-invoices'
import { formatExact, micros } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import { findTrunk } from '../../catalogue/trunks/store.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { type CallsPlace, fileOfCalls, insertCalls, listCalls } from './calls-store.ts'
import { compareInvoice } from './comparison.ts'
import {
  deleteInvoice,
  findInvoice,
  type InvoicePage,
  type InvoiceRow,
  insertInvoice,
  listInvoices,
  listSums,
  lockInvoice,
  updateInvoice,
} from './store.ts'
import { viewCall, viewInvoice } from './view.ts'

export type CarrierInvoices = ReturnType<typeof createCarrierInvoices>

type Deps = { db: Database; clock: Clock; audit: Audit; exports: Exports; reports: Database }
type InvoiceChange = {
  version: number
  state?: InvoiceRow['state'] | undefined
  name?: string | undefined
  note?: string | undefined
}

/** A comparison may need 200 MB. */
const MAX_AT_ONCE = 2
/** Listed invalid lines. The count covers all. */
const MAX_FAULTS = 200

/** Invoices of carriers, compared with our call records. `reports` may be a replica. */
export function createCarrierInvoices({ db, clock, audit, exports, reports }: Deps) {
  let running = 0

  async function find(handle: Database, caller: Caller, id: number): Promise<InvoiceRow> {
    return requireFound(await findInvoice(handle, everyonesData(caller), id))
  }

  async function take(tx: Database, caller: Caller, id: number): Promise<InvoiceRow> {
    return requireFound(await lockInvoice(tx, everyonesData(caller), id))
  }

  const view = async (handle: Database, row: InvoiceRow): Promise<CarrierInvoice> =>
    viewInvoice(row, await listSums(handle, [row.id]))

  async function compareAndStore(caller: Caller, given: UploadedInvoice): Promise<CarrierInvoice> {
    const trunk = requireFound(await findTrunk(db, given.trunk_id, clock.now()))
    const { calls, sums, read, period, toleranceMicros, shiftMinutes } = await compareInvoice(
      reports,
      everyonesData(caller),
      trunk,
      given,
    )
    return await db.transaction().execute(async (tx) => {
      const id = await insertInvoice(
        tx,
        {
          trunk_id: trunk.id,
          trunk_name: trunk.name,
          name: given.name,
          file_name: given.file_name,
          timezone: given.timezone,
          period_from: period.from,
          period_to: period.to,
          match_tolerance_seconds: given.match_tolerance,
          duration_tolerance_seconds: given.duration_tolerance,
          price_tolerance_micros: toleranceMicros,
          fault_count: read.faults.length,
          faults: JSON.stringify(read.faults.slice(0, MAX_FAULTS)),
          free_count: read.free,
          shift_minutes: shiftMinutes,
          uploaded_by: caller.userId,
          uploaded_at: clock.now(),
        },
        sums,
      )
      await insertCalls(tx, id, calls)
      const row = await find(tx, caller, id)
      const invoice = await view(tx, row)
      const billed = formatExact(
        micros(Object.values(sums).reduce((sum, each) => sum + each.carrierMicros, 0n)),
      )
      const after = { name: row.name, trunk: row.trunk_name, calls: invoice.carrier.calls, amount: billed }
      await audit.write(tx, caller, { ...entry('carrier_invoice.create', row), before: null, after })
      return invoice
    })
  }

  return {
    async list(caller: Caller, asked: InvoicePage) {
      const rows = await listInvoices(db, everyonesData(caller), { ...asked, limit: asked.limit + 1 })
      const { shown, next } = pageOf(rows, asked.limit, ({ id }) => id)
      const sums =
        shown.length === 0
          ? []
          : await listSums(
              db,
              shown.map(({ id }) => id),
            )
      return { invoices: shown.map((row) => viewInvoice(row, sums)), next }
    },

    async compare(caller: Caller, given: UploadedInvoice): Promise<CarrierInvoice> {
      requireAdmin(caller)
      if (running >= MAX_AT_ONCE) throw new Refusal('too_many_requests', ownMessages.invoiceBusy)
      running++
      try {
        return await compareAndStore(caller, given)
      } finally {
        running--
      }
    },

    async find(caller: Caller, id: number) {
      const row = await find(db, caller, id)
      return { invoice: await view(db, row), faults: row.faults }
    },

    change: (caller: Caller, id: number, { version, ...change }: InvoiceChange): Promise<CarrierInvoice> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        requireUnchanged(row.version, version)
        await updateInvoice(tx, id, change)
        const changed = await find(tx, caller, id)
        const [before, after] = [stateOf(row), stateOf(changed)]
        await audit.write(tx, caller, { ...entry('carrier_invoice.update', row), before, after })
        return await view(tx, changed)
      }),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        await deleteInvoice(tx, id)
        const before = { ...stateOf(row), trunk: row.trunk_name }
        await audit.write(tx, caller, { ...entry('carrier_invoice.delete', row), before, after: null })
      }),

    async calls(
      caller: Caller,
      id: number,
      {
        kind,
        after,
        limit,
      }: { kind?: DifferenceKind | undefined; after?: string | undefined; limit: number },
    ): Promise<{ calls: InvoiceCall[]; next: string | null }> {
      await find(db, caller, id)
      const rows = await listCalls(db, id, { kind, after: placeFrom(after), limit: limit + 1 })
      const { shown, next } = pageOf(rows, limit, (row) => `${-row.sort_key}.${row.position}`)
      return { calls: shown.map(viewCall), next }
    },

    async csv(caller: Caller, id: number, kind: DifferenceKind | undefined): Promise<Readable> {
      await find(db, caller, id)
      return await exports.begin(caller.userId, fileOfCalls(db, id, kind))
    },
  }
}

function placeFrom(cursor: string | undefined): CallsPlace | undefined {
  if (cursor === undefined) return undefined
  const [stake = '', position = ''] = cursor.split('.')
  return { sortKey: -BigInt(stake), position: Number(position) }
}

const entry = (action: string, row: InvoiceRow) => ({ action, subject: `carrier invoice ${row.id}` })

const stateOf = ({ name, state, note }: InvoiceRow) => ({ name, state, note })
