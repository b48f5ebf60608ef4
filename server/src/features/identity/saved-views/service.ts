import { Refusal } from '@trunkline/contract/errors'
import { SAVED_VIEWS_MAX } from '@trunkline/contract/limits'
import type { SavedView, ViewScreen } from '@trunkline/contract/saved-views'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { deleteView, listViews, saveView, type ViewRow } from './store.ts'

export type SavedViews = ReturnType<typeof createSavedViews>

/** Filters that a user has named. */
export const createSavedViews = (db: Database, clock: Clock) => ({
  list: async (caller: Caller, screen: ViewScreen): Promise<SavedView[]> =>
    (await listViews(db, ownDataOf(caller), screen)).map(viewOf),

  async save(caller: Caller, view: { screen: ViewScreen; name: string; query: string }): Promise<SavedView> {
    const saved = await saveView(db, ownDataOf(caller), view, { most: SAVED_VIEWS_MAX, now: clock.now() })
    if (!saved) throw new Refusal('too_many_views')
    return viewOf(saved)
  },

  async remove(caller: Caller, id: number): Promise<void> {
    if (!(await deleteView(db, ownDataOf(caller), id))) throw new Refusal('not_found')
  },
})

const viewOf = ({ id, name, query }: ViewRow): SavedView => ({ id, name, query })
