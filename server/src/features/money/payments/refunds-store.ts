import type { Owner } from '@trunkline/domain/access'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type RefundRow = Selectable<Tables['refunds']> & { creator_name: string }

const visibleRefunds = (db: Database, owner: Owner) =>
  db
    .selectFrom('refunds')
    .innerJoin('users as creator', 'creator.id', 'refunds.created_by')
    .selectAll('refunds')
    .select('creator.username as creator_name')
    .where(ofOwner(owner, 'refunds.user_id'))

/** Unique index on request keys; see db/0003_payments.sql. */
export const REFUND_REQUEST_INDEX = 'refunds_request'

export const insertRefund = (db: Database, refund: Insertable<Tables['refunds']>): Promise<{ id: number }> =>
  db.insertInto('refunds').values(refund).returning('id').executeTakeFirstOrThrow()

export const findRefundByRequest = (
  db: Database,
  owner: Owner,
  requestKey: string,
): Promise<RefundRow | undefined> =>
  visibleRefunds(db, owner).where('request_key', '=', requestKey).executeTakeFirst()

export const listRefundsOf = (db: Database, owner: Owner, invoiceId: number): Promise<RefundRow[]> =>
  visibleRefunds(db, owner).where('invoice_id', '=', invoiceId).orderBy('refunds.id').execute()
