import type { AllUsers, Owner } from '@trunkline/domain/access'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'

export const listRegistrations = (db: Database, owner: Owner, userId: number, now: Date) =>
  db
    .selectFrom('registrations')
    .select(['contact', 'address', 'device', 'registered_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where(ofOwner(owner, 'user_id'))
    .orderBy('registered_at', 'desc')
    .limit(200)
    .execute()

/** For the system and administrators only, because switches carry the calls of all customers. */
export const listSwitches = (db: Database, _scope: AllUsers, now: Date) =>
  db
    .selectFrom('switches')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('live_calls')
        .whereRef('live_calls.switch_id', '=', 'switches.switch_id')
        .where('route_id', '<>', INNER_LEG_ROUTE_ID)
        .select(sql<number>`count(*)::integer`.as('calls'))
        .$asScalar()
        .$notNull()
        .as('live_calls'),
      eb
        .selectFrom('registrations')
        .whereRef('registrations.switch_id', '=', 'switches.switch_id')
        .where('expires_at', '>', now)
        .select(sql<number>`count(*)::integer`.as('phones'))
        .$asScalar()
        .$notNull()
        .as('registrations'),
    ])
    .orderBy('switch_id')
    .execute()
