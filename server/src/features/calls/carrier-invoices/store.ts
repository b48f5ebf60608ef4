import type { AllUsers } from '@trunkline/domain/access'
import type { DifferenceKind, KindSums } from '@trunkline/domain/carrier-invoices'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { updateVersioned } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type SumsRow = Selectable<Tables['carrier_invoice_sums']>
export type InvoiceRow = Selectable<Tables['carrier_invoices']> & {
  uploader: string | null
  trunk_exists: boolean
}

const withNames = (db: Database) =>
  db
    .selectFrom('carrier_invoices')
    .leftJoin('users', 'users.id', 'carrier_invoices.uploaded_by')
    .selectAll('carrier_invoices')
    .select([
      'users.username as uploader',
      sql<boolean>`exists (select from trunks where trunks.id = carrier_invoices.trunk_id)`.as(
        'trunk_exists',
      ),
    ])

export type InvoicePage = {
  before?: number | undefined
  limit: number
  trunk?: number | undefined
  state?: InvoiceRow['state'] | undefined
}

export async function listInvoices(
  db: Database,
  _scope: AllUsers,
  { before, limit, trunk, state }: InvoicePage,
): Promise<InvoiceRow[]> {
  let query = withNames(db).orderBy('carrier_invoices.id', 'desc').limit(limit)
  if (before !== undefined) query = query.where('carrier_invoices.id', '<', before)
  if (trunk !== undefined) query = query.where('carrier_invoices.trunk_id', '=', trunk)
  if (state !== undefined) query = query.where('carrier_invoices.state', '=', state)
  return await query.execute()
}

export const findInvoice = (db: Database, _scope: AllUsers, id: number): Promise<InvoiceRow | undefined> =>
  withNames(db).where('carrier_invoices.id', '=', id).executeTakeFirst()

export const lockInvoice = (db: Database, _scope: AllUsers, id: number): Promise<InvoiceRow | undefined> =>
  withNames(db).where('carrier_invoices.id', '=', id).forUpdate('carrier_invoices').executeTakeFirst()

export const listSums = (db: Database, ids: readonly number[]): Promise<SumsRow[]> =>
  db.selectFrom('carrier_invoice_sums').selectAll().where('invoice_id', 'in', ids).execute()

export async function insertInvoice(
  db: Database,
  invoice: Insertable<Tables['carrier_invoices']>,
  sums: Readonly<Record<DifferenceKind, KindSums>>,
): Promise<number> {
  const { id } = await db
    .insertInto('carrier_invoices')
    .values(invoice)
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = (Object.entries(sums) as [DifferenceKind, KindSums][]).map(([kind, each]) => ({
    invoice_id: id,
    kind,
    calls: each.calls,
    carrier_seconds: BigInt(each.carrierSeconds),
    own_seconds: BigInt(each.ownSeconds),
    carrier_micros: each.carrierMicros,
    own_micros: each.ownMicros,
    over_micros: each.overMicros,
    under_micros: each.underMicros,
  }))
  await db.insertInto('carrier_invoice_sums').values(rows).execute()
  return id
}

export const updateInvoice = (
  db: Database,
  id: number,
  change: Updateable<Tables['carrier_invoices']>,
): Promise<void> => updateVersioned(db, 'carrier_invoices', id, change)

export async function deleteInvoice(db: Database, id: number): Promise<void> {
  await db.deleteFrom('carrier_invoice_calls').where('invoice_id', '=', id).execute()
  await db.deleteFrom('carrier_invoices').where('id', '=', id).execute()
}
