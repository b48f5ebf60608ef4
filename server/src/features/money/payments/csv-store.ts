import { PAYMENT_STATES, paymentStates } from '@trunkline/contract/payment-states'
import type { Owner } from '@trunkline/domain/access'
import { sql } from 'kysely'
import {
  type CsvFile,
  dateAndTime,
  dollarsOf,
  escapeFormula,
  expressionsOf,
  isoTimestampOf,
  wordFor,
} from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { conditionsOf, type PaymentFilter } from './filter-store.ts'

const words = (of: 'label' | 'status') =>
  Object.fromEntries(PAYMENT_STATES.map((state) => [state, paymentStates[state][of]]))

const columnsOf = (timezone: string) =>
  [
    ['id', 'invoices.id'],
    ...dateAndTime('invoices.created_at', timezone),
    ['user_id', 'invoices.user_id'],
    ['user', escapeFormula('users.username')],
    ['type', `case invoices.kind when 'topup' then 'Top-up' else 'Purchase' end`],
    ['amount', dollarsOf('invoices.amount_micros')],
    ['status', wordFor('invoices.shown_state', words('status'))],
    ['state', wordFor('invoices.shown_state', words('label'))],
    ['received', dollarsOf('invoices.received_micros')],
    ['paid', dollarsOf('invoices.paid_micros')],
    ['credited', dollarsOf('invoices.credited_micros')],
    ['refunded', dollarsOf('invoices.refunded_micros')],
    ['order_id', 'invoices.order_id'],
    ['track_id', escapeFormula('invoices.track_id')],
    ['created_at', isoTimestampOf('invoices.created_at')],
    ['paid_at', isoTimestampOf('invoices.paid_at')],
  ] as const

export async function fileOfPayments(
  db: Database,
  owner: Owner,
  filter: PaymentFilter,
  timezone: string,
): Promise<CsvFile> {
  const columns = columnsOf(timezone)
  const ofStates = filter.states ? sql`invoices.shown_state = any(${[...filter.states]}::text[])` : sql`true`
  const query = sql`
    select ${expressionsOf(columns)}
      from invoices join users on users.id = invoices.user_id
     where ${await conditionsOf(db, owner, filter)} and ${ofStates}
     order by invoices.created_at desc, invoices.id desc`
  return { columns, query: query.compile(db) }
}
