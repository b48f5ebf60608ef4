import type { Owner } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { deletesRow, ofOwner, refuseForeign } from '../../../platform/rows.ts'

export type SelectedRoute = { country: string; id: number; selectedAt: Date }

/** Latest first. */
export const listSelectedRoutes = (db: Database, owner: Owner, userId: number): Promise<SelectedRoute[]> =>
  db
    .selectFrom('selected_routes')
    .select(['country', 'route_id as id', 'selected_at as selectedAt'])
    .where('user_id', '=', userId)
    .where(ofOwner(owner, 'user_id'))
    .orderBy('selected_at', 'desc')
    .orderBy('country')
    .execute()

/** Replaces the selection for the country. */
export async function selectRoute(
  db: Database,
  owner: Owner,
  selection: { userId: number; routeId: number; country: string },
  now: Date,
): Promise<void> {
  refuseForeign(owner, selection.userId)
  await db
    .insertInto('selected_routes')
    .values({
      user_id: selection.userId,
      country: selection.country,
      route_id: selection.routeId,
      selected_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'country']).doUpdateSet({ route_id: selection.routeId, selected_at: now }),
    )
    .execute()
}

export const unselectRoute = (
  db: Database,
  owner: Owner,
  userId: number,
  country: string,
): Promise<boolean> =>
  deletesRow(
    db
      .deleteFrom('selected_routes')
      .where('user_id', '=', userId)
      .where('country', '=', country)
      .where(ofOwner(owner, 'user_id')),
  )
