import { Refusal } from '@trunkline/contract/errors'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import { countryName } from '@trunkline/domain/countries'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import { findRouteForUse } from '../routes/store.ts'
import { listSelectedRoutes, selectRoute, unselectRoute } from './store.ts'

export type SelectedRoutes = ReturnType<typeof createSelectedRoutes>

/** The selected route of a user for each country. */
export function createSelectedRoutes(db: Database, clock: Clock, audit: Audit) {
  /** Customers select for themselves, administrators for any user. */
  async function whose(handle: Database, caller: Caller, userId = caller.userId) {
    const owner = userId === caller.userId ? ownDataOf(caller) : ownerOfAll(caller)
    const user = requireFound(await findUserById(handle, owner, userId))
    return { owner, user }
  }

  async function show(handle: Database, owner: Owner, userId: number) {
    const selectedRoutes = (await listSelectedRoutes(handle, owner, userId)).map(({ id, country }) => ({
      id,
      country: countryName(country),
      country_code: country,
    }))
    return { selectedRoute: selectedRoutes[0] ?? null, selectedRoutes }
  }

  /** Only administrators' changes for other users are audited. */
  async function log(tx: Database, caller: Caller, userId: number, after: Record<string, unknown>) {
    if (userId === caller.userId) return
    const subject = `selected route of user ${userId}`
    await audit.write(tx, caller, {
      action: 'selected_route.update',
      subject,
      userId,
      before: null,
      after,
    })
  }

  return {
    async list(caller: Caller, userId?: number) {
      const { owner, user } = await whose(db, caller, userId)
      return show(db, owner, user.id)
    },

    select: (caller: Caller, routeId: number, userId?: number) =>
      db.transaction().execute(async (tx) => {
        const { owner, user } = await whose(tx, caller, userId)
        const route = requireFound(await findRouteForUse(tx, routeId))
        if (route.is_premium && !user.is_premium) throw new Refusal('premium_only')
        const selection = { userId: user.id, routeId, country: route.country }
        await selectRoute(tx, owner, selection, clock.now())
        await log(tx, caller, user.id, { country: route.country, route: routeId })
        return show(tx, owner, user.id)
      }),

    unselect: (caller: Caller, country: string, userId?: number) =>
      db.transaction().execute(async (tx) => {
        const { owner, user } = await whose(tx, caller, userId)
        if (!(await unselectRoute(tx, owner, user.id, country))) throw new Refusal('not_found')
        await log(tx, caller, user.id, { country, route: null })
        return show(tx, owner, user.id)
      }),
  }
}

function ownerOfAll(caller: Caller): Owner {
  if (!caller.isAdmin) throw new Refusal('admin_only')
  return everyonesData(caller)
}
