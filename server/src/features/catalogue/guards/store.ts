import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type GuardRow = Selectable<Tables['guards']>
export type SetBy = GuardRow['set_by']
/** Values of one layer. Null means not set. */
export type GuardValues = Omit<GuardRow, 'user_id' | 'set_by' | 'updated_at'>

export const noGuards: GuardValues = {
  max_concurrent_calls: null,
  max_calls_per_second: null,
  daily_spend_micros: null,
  max_price_micros: null,
  allowed_countries: null,
  blocked_countries: null,
  is_high_risk_allowed: null,
  are_calls_stopped: null,
}

export async function findGuardLayers(
  db: Database,
  owner: Owner,
  userId: number,
): Promise<Record<SetBy, GuardRow | null>> {
  const rows = await db
    .selectFrom('guards')
    .selectAll()
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .execute()
  const layer = (by: SetBy) => rows.find(({ set_by }) => set_by === by) ?? null
  return { admin: layer('admin'), customer: layer('customer') }
}

/** The limits that administrators set for users. */
export async function findAdminLayers(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
): Promise<Map<number, GuardRow>> {
  const rows = await db
    .selectFrom('guards')
    .selectAll()
    .where('set_by', '=', 'admin')
    .where('user_id', 'in', [...userIds])
    .execute()
  return new Map(rows.map((row) => [row.user_id, row]))
}

export async function saveGuardLayer(
  db: Database,
  owner: Owner,
  userId: number,
  setBy: SetBy,
  values: GuardValues,
  now: Date,
): Promise<void> {
  if (owner.userId !== null && (owner.userId !== userId || setBy !== 'customer'))
    throw new Error('limits of another user')
  await db
    .insertInto('guards')
    .values({ user_id: userId, set_by: setBy, ...values, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'set_by']).doUpdateSet({ ...values, updated_at: now }),
    )
    .execute()
}
