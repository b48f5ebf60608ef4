import type { Selectable, Updateable } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'

export type InvoiceRow = Selectable<Tables['invoices']>
export type InvoiceChange = Updateable<Tables['invoices']>
