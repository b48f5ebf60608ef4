import type { PaymentState } from '@trunkline/contract/payment-states'
import type { PromoType } from '@trunkline/contract/promo-types'
import type { AllUsers } from '@trunkline/domain/access'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { type RawBuilder, sql } from 'kysely'
import { DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'

/** Exact matches come first, so that a limit never hides them. Each query uses an index or reads a small table. */

/** `text` is lower case. */
export type Wanted = { text: string; limit: number }

const ID = /^#?(\d{1,9})$/
const idIn = (text: string): number | null => (ID.test(text) ? Number(ID.exec(text)?.[1]) : null)

const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
const contains = (text: string): string => `%${literally(text)}%`
const beginsWith = (text: string): string => `${literally(text)}%`

type FoundUser = { id: number; username: string; email: string | null; company: string | null }

/** Trigrams need three letters. */
const TRIGRAM = 3

/** By username, email address, company, name of the person or id. */
export async function findUsers(
  db: Database,
  _scope: AllUsers,
  { text, limit }: Wanted,
): Promise<FoundUser[]> {
  const of = (condition: RawBuilder<unknown>, order = sql`id desc`) => sql`
    (select id, username, email, company from users where ${condition} order by ${order} limit ${limit})`
  // Same expression as the index; see db/0063_usernames_in_byte_order.sql.
  const name = sql`lower(username) collate "C"`
  const exact = sql`lower(username) = ${text} or lower(email) = ${text} or id = ${idIn(text)}::integer`
  const parts =
    text.length < TRIGRAM
      ? [of(sql`${name} like ${beginsWith(text)}`, name)]
      : [
          of(
            sql`lower(username || ' ' || coalesce(email, '') || ' ' || coalesce(company, '')) like ${contains(text)}`,
          ),
          of(sql`name is not null and lower(name) like ${contains(text)}`),
        ]
  const { rows } = await sql<FoundUser>`
    select distinct on (place, id) id, username, email, company
      from (select 1 as place, exact.* from ${of(exact)} as exact
            union all
            select 2, others.* from (${sql.join(parts, sql` union all `)}) as others) as found
     order by place, id desc`.execute(db)
  return rows
}

type Named = { id: number; name: string; detail: string }

export async function findTrunks(db: Database, { text, limit }: Wanted): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select id, name, provider as detail from trunks
     where strpos(lower(concat_ws(' ', name, provider, host)), ${text}) > 0
     order by lower(name) = ${text} desc, priority, id limit ${limit}`.execute(db)
  return rows
}

export async function findRoutes(db: Database, { text, limit }: Wanted): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select routes.id, routes.name, plans.name as detail
      from routes join plans on plans.id = routes.plan_id
     where strpos(lower(routes.name), ${text}) > 0
     order by lower(routes.name) = ${text} desc, routes.name, routes.id limit ${limit}`.execute(db)
  return rows
}

type FoundNumber = { id: number; e164: string; status: string; username: string | null; area: string }

/** By digits that the number contains. The inventory has thousands of numbers, not millions. */
export async function findNumbers(
  db: Database,
  _scope: AllUsers,
  { digits, limit }: { digits: string; limit: number },
): Promise<FoundNumber[]> {
  const { rows } = await sql<FoundNumber>`
    select numbers.id, e164, status, username, area
      from numbers left join users on users.id = numbers.user_id
     where strpos(e164, ${digits}) > 0
     order by e164 = ${digits} desc, e164 limit ${limit}`.execute(db)
  return rows
}

type FoundPayment = {
  id: number
  order_id: string
  username: string
  amount_micros: bigint
  shown_state: PaymentState
  created_at: Date
}

const ORDER_ID = /^(ord|upgrade)-/

/** By order id, the provider's id or our id. */
export async function findPayments(
  db: Database,
  _scope: AllUsers,
  { text, typed, limit }: Wanted & { typed: string },
): Promise<FoundPayment[]> {
  const condition = ORDER_ID.test(text)
    ? sql`order_id like ${beginsWith(text.toUpperCase())}`
    : sql`track_id = ${typed} or invoices.id = ${idIn(text)}::integer`
  const { rows } = await sql<FoundPayment>`
    select invoices.id, order_id, users.username, amount_micros, shown_state, invoices.created_at
      from invoices join users on users.id = invoices.user_id
     where ${condition}
     order by order_id = ${text.toUpperCase()} desc, invoices.created_at desc, invoices.id desc
     limit ${limit}`.execute(db)
  return rows
}

type FoundPromoCode = { id: number; code: string; type: PromoType }

export async function findPromoCodes(db: Database, { text, limit }: Wanted): Promise<FoundPromoCode[]> {
  const { rows } = await sql<FoundPromoCode>`
    select id, code, type from promo_codes
     where strpos(code, ${text.toUpperCase()}) > 0
     order by code = ${text.toUpperCase()} desc, id desc limit ${limit}`.execute(db)
  return rows
}

type FoundTicket = {
  id: number
  subject: string
  username: string
  status: 'open' | 'closed'
  created_at: Date
}

export async function findTickets(
  db: Database,
  _scope: AllUsers,
  { text, limit }: Wanted,
): Promise<FoundTicket[]> {
  const { rows } = await sql<FoundTicket>`
    select tickets.id, subject, users.username, status, tickets.created_at
      from tickets join users on users.id = tickets.user_id
     where strpos(lower(subject), ${text}) > 0 or tickets.id = ${idIn(text)}::integer
     order by tickets.id = coalesce(${idIn(text)}::integer, 0) desc, lower(subject) = ${text} desc, tickets.id desc
     limit ${limit}`.execute(db)
  return rows
}

type FoundLiveCall = { call_id: string; dialed: string; username: string; state: string; started_at: Date }

/** Screens show the id of a call without its switch. */
export async function possibleCallIds(db: Database, typed: string): Promise<string[]> {
  const switches = await db
    .selectFrom('switches')
    .select('switch_id')
    .orderBy('last_seen_at', 'desc')
    .limit(20)
    .execute()
  return [typed, ...switches.map(({ switch_id }) => `${switch_id}/${typed}`)]
}

/** By part of the number, or by the call ID. */
export async function findLiveCalls(
  db: Database,
  _scope: AllUsers,
  { digits, callIds, limit }: { digits: string | null; callIds: string[]; limit: number },
): Promise<FoundLiveCall[]> {
  const { rows } = await sql<FoundLiveCall>`
    select call_id, dialed, users.username, state, started_at
      from live_calls join users on users.id = live_calls.user_id
     where route_id <> ${INNER_LEG_ROUTE_ID}
       and (call_id = any(${callIds}) or strpos(concat_ws(' ', dialed, destination, caller_id), ${digits}::text) > 0)
     order by started_at desc limit ${limit}`.execute(db)
  return rows
}

/** Call records of unpaid calls have no other index by call ID than that of their time. */
const UNPAID_FOR = 2 * DAY
const LONGEST_CALL = DAY

/** The period in which a call with this id started. The posting of a paid call has its end. */
export async function periodOfCall(
  db: Database,
  _scope: AllUsers,
  callId: string,
  now: Date,
): Promise<{ from: Date; to: Date }> {
  const paid = await db
    .selectFrom('postings')
    .select('at')
    .where('key', '=', `settle:${callId}`)
    .executeTakeFirst()
  return paid
    ? { from: earlier(paid.at, LONGEST_CALL), to: paid.at }
    : { from: earlier(now, UNPAID_FOR), to: now }
}

export async function findStart(
  db: Database,
  _scope: AllUsers,
  callId: string,
  { from, to }: { from: Date; to: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ started_at: Date }>`
    select started_at from cdrs where call_id = ${callId} and started_at between ${from} and ${to} limit 1`.execute(
    db,
  )
  return rows[0]?.started_at ?? null
}
