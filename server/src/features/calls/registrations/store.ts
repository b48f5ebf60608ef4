import type { AllUsers, Owner } from '@trunkline/domain/access'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner, ROW_COUNT } from '../../../platform/rows.ts'

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
    .select([
      sql<number>`(select ${ROW_COUNT} from live_calls
                    where switch_id = switches.switch_id and route_id <> ${INNER_LEG_ROUTE_ID})`.as(
        'live_calls',
      ),
      sql<number>`(select ${ROW_COUNT} from registrations
                    where switch_id = switches.switch_id and expires_at > ${now})`.as('registrations'),
    ])
    .orderBy('switch_id')
    .execute()
