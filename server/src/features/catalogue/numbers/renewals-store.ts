import type { AllUsers } from '@trunkline/domain/access'
import type { RenewalSettings } from '@trunkline/domain/rentals'
import { sql } from 'kysely'
import { DAY, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'

/**
 * Rentals that may need a step now, with the rentals that are due first in front. Rentals that wait for money or for their disabled
 * account are left out until they can be paid or a deadline passes, so a top-up renews a number within a minute.
 */
export async function findDueRentals(
  db: Database,
  _scope: AllUsers,
  { warnDays, graceDays, suspendedDays }: RenewalSettings,
  now: Date,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    (select rental.id
       from number_rentals as rental
       join accounts on accounts.user_id = rental.user_id
       join users on users.id = rental.user_id
      where rental.state <> 'ended' and rental.paid_until <= ${now}
        and (rental.cancels
             or rental.state = 'active'
             or (users.disabled_at is null and accounts.balance_micros - accounts.held_micros >= rental.monthly_micros)
             or (rental.state = 'grace' and rental.overdue_since <= ${before(now, graceDays)})
             or (rental.state = 'suspended' and rental.suspended_at <= ${before(now, suspendedDays)}))
      order by rental.paid_until, rental.id)
    union all
    (select soon.id
       from (select rental.id, rental.user_id, rental.warned_period, rental.periods, rental.paid_until,
                    sum(rental.monthly_micros) over (partition by rental.user_id order by rental.paid_until, rental.id) as due_micros
               from number_rentals as rental
              where rental.state <> 'ended' and not rental.cancels
                and rental.paid_until > ${now} and rental.paid_until <= ${later(now, warnDays * DAY)}) as soon
       join accounts on accounts.user_id = soon.user_id
       join users on users.id = soon.user_id
      where soon.warned_period is distinct from soon.periods + 1
        and (users.disabled_at is not null or accounts.balance_micros - accounts.held_micros < soon.due_micros)
      order by soon.paid_until, soon.id)
     limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

const before = (now: Date, days: number): Date => later(now, -days * DAY)

export type Coverage = {
  availableMicros: bigint
  /** Rent of all numbers of the customer that renew before this one or with it, but after now. */
  comingMicros: bigint
  /** A disabled account pays no rent. */
  isDisabled: boolean
}

/** Locks the account, so that the decision and the posting see the same balance. */
export async function lockCoverage(
  db: Database,
  _scope: AllUsers,
  rental: { id: number; user_id: number; paid_until: Date },
  now: Date,
): Promise<Coverage> {
  const { rows } = await sql<{ available: bigint; coming: bigint; is_disabled: boolean }>`
    select balance_micros - held_micros as available,
           users.disabled_at is not null as is_disabled,
           (select coalesce(sum(monthly_micros), 0)::bigint from number_rentals as other
             where other.user_id = ${rental.user_id} and other.state <> 'ended' and not other.cancels
               and other.paid_until > ${now}
               and (other.paid_until, other.id) <= (${rental.paid_until}::timestamptz, ${rental.id}::integer)) as coming
      from accounts join users on users.id = accounts.user_id
     where accounts.user_id = ${rental.user_id} for no key update of accounts`.execute(db)
  const [row] = rows
  return {
    availableMicros: row?.available ?? 0n,
    comingMicros: row?.coming ?? 0n,
    isDisabled: row?.is_disabled ?? false,
  }
}

export async function findNumberOf(db: Database, _scope: AllUsers, rentalId: number): Promise<number | null> {
  const row = await db
    .selectFrom('number_rentals')
    .select('number_id')
    .where('id', '=', rentalId)
    .executeTakeFirst()
  return row?.number_id ?? null
}
