import type { AddressState } from '@trunkline/contract/trusted-addresses'
import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { EmergencyRoute, InventoryNumber } from '@trunkline/domain/callcontrol'
import type { GuardLayer } from '@trunkline/domain/guards'
import { type Micros, micros } from '@trunkline/domain/money'
import { createPrefixIndex } from '@trunkline/domain/rating'
import type { Route, Trunk } from '@trunkline/domain/routing'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import { readPrefixRate, readRate } from '../prefix-rates/store.ts'
import { type RuleInForce, readRules } from '../routing-rules/store.ts'
import { type FlowFacts, readFlows } from './media-store.ts'
import { type Carrier, readCarriers, readInternalPrice, readNumbers } from './numbers-store.ts'

/** A user for call control. Routes are ids, because they change independently. */
export type UserFacts = {
  id: number
  username: string
  /** Pending and trusted addresses in canonical form. */
  addresses: readonly { address: string; state: AddressState }[]
  isDisabled: boolean
  isPremium: boolean
  callerId: string | null
  isCallerIdApproved: boolean
  homeCountry: string | null
  /** SIP credentials for a realm. */
  credentials: { realm: string; md5: string | null; sha256: string | null } | null
  admin: GuardLayer | null
  customer: GuardLayer | null
  selected: ReadonlyMap<string, number>
  /** The operator allows recordings; the customer wants them for all incoming calls, and for dialed calls. */
  mayRecord: boolean
  recordsAll: boolean
  recordsDialed: boolean
  announcesRecordings: boolean
}

/** A browser phone. */
export type PhoneFacts = {
  name: string
  userId: number
  credentials: { realm: string; md5: string; sha256: string }
  expiresAt: Date
}

export type Facts = {
  users: UserFacts[]
  phones: PhoneFacts[]
  routes: Route[]
  trunks: Trunk[]
  emergency: EmergencyRoute | null
  rules: RuleInForce[]
  numbers: InventoryNumber[]
  carriers: Carrier[]
  internalPriceMicros: Micros
  flows: FlowFacts[]
}

/** Reads everything from one snapshot. */
export const readEverything = (db: Database, owner: AllUsers): Promise<Facts> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => ({
      users: await readUsers(snapshot, owner),
      phones: await readPhones(snapshot, owner),
      routes: await readRoutes(snapshot),
      trunks: await readTrunks(snapshot),
      emergency: await readEmergencyRoute(snapshot),
      rules: await readRules(snapshot),
      numbers: await readNumbers(snapshot, owner),
      carriers: await readCarriers(snapshot),
      internalPriceMicros: await readInternalPrice(snapshot),
      flows: await readFlows(snapshot, owner),
    }))

type GuardRow = Omit<Selectable<Tables['guards']>, 'daily_spend_micros' | 'max_price_micros'> & {
  daily_spend_micros: string | null
  max_price_micros: string | null
}

type UserRow = Pick<
  Selectable<Tables['users']>,
  'id' | 'username' | 'disabled_at' | 'is_premium' | 'home_country'
> & {
  addresses: { address: string; state: AddressState }[] | null
  callerid: string | null
  caller_id_state: string | null
  realm: string | null
  ha1_md5: string | null
  ha1_sha256: string | null
  admin: GuardRow | null
  customer: GuardRow | null
  selected: Record<string, number> | null
  may_record: boolean
  records_all: boolean
  records_dialed: boolean
  announces: boolean
}

/** Amounts are text, because JSON numbers are not exact. */
const guardsOf = (setBy: 'admin' | 'customer'): RawBuilder<unknown> => sql`
  (select to_jsonb(g) || jsonb_build_object('daily_spend_micros', daily_spend_micros::text, 'max_price_micros', max_price_micros::text)
     from guards as g where g.user_id = u.id and g.set_by = ${sql.lit(setBy)})`

export async function readUsers(db: Database, owner: Owner, id?: number): Promise<UserFacts[]> {
  const { rows } = await sql<UserRow>`
    select u.id, u.username, u.disabled_at, u.is_premium, u.home_country, c.callerid,
           case when exists (select from number_rentals as n where n.user_id = u.id and n.e164 = c.callerid and n.state in ('active', 'grace'))
                then 'approved' else d.state end as caller_id_state,
           coalesce(o.is_allowed, false) as may_record, coalesce(o.records_all, false) as records_all,
           coalesce(o.records_dialed, false) as records_dialed, coalesce(o.announces, true) as announces,
           k.realm, k.ha1_md5, k.ha1_sha256,
           ${guardsOf('admin')} as admin, ${guardsOf('customer')} as customer,
           (select jsonb_object_agg(s.country, s.route_id) from selected_routes as s where s.user_id = u.id) as selected,
           (select jsonb_agg(jsonb_build_object('address', a.address, 'state', a.state))
              from trusted_addresses as a where a.user_id = u.id) as addresses
      from users as u left join caller_ids as c on c.user_id = u.id
           left join caller_id_requests as d on d.user_id = u.id and d.callerid = c.callerid
           left join sip_credentials as k on k.user_id = u.id
           left join recording_settings as o on o.user_id = u.id
     where ${id === undefined ? sql`true` : sql`u.id = ${id}`}
       and ${owner.userId === null ? sql`true` : sql`u.id = ${owner.userId}`}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    addresses: row.addresses ?? [],
    isDisabled: row.disabled_at !== null,
    isPremium: row.is_premium,
    callerId: row.callerid,
    isCallerIdApproved: row.caller_id_state === 'approved',
    homeCountry: row.home_country,
    credentials: credentialsOf(row),
    admin: layerOf(row.admin),
    customer: layerOf(row.customer),
    selected: new Map(Object.entries(row.selected ?? {})),
    mayRecord: row.may_record,
    recordsAll: row.records_all,
    recordsDialed: row.records_dialed,
    announcesRecordings: row.announces,
  }))
}

export async function readPhones(db: Database, _scope: AllUsers, name?: string): Promise<PhoneFacts[]> {
  const rows = await db
    .selectFrom('phones')
    .select(['name', 'user_id', 'realm', 'ha1_md5', 'ha1_sha256', 'expires_at'])
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .execute()
  return rows.map((row) => ({
    name: row.name,
    userId: row.user_id,
    credentials: { realm: row.realm, md5: row.ha1_md5, sha256: row.ha1_sha256 },
    expiresAt: row.expires_at,
  }))
}

const credentialsOf = ({ realm, ha1_md5: md5, ha1_sha256: sha256 }: UserRow): UserFacts['credentials'] =>
  realm === null ? null : { realm, md5, sha256 }

function layerOf(row: GuardRow | null): GuardLayer | null {
  if (!row) return null
  return {
    maxConcurrentCalls: row.max_concurrent_calls,
    maxCallsPerSecond: row.max_calls_per_second,
    dailySpendMicros: row.daily_spend_micros === null ? null : micros(BigInt(row.daily_spend_micros)),
    maxPriceMicros: row.max_price_micros === null ? null : micros(BigInt(row.max_price_micros)),
    allowedCountries: row.allowed_countries && new Set(row.allowed_countries),
    blockedCountries: row.blocked_countries && new Set(row.blocked_countries),
    isHighRiskAllowed: row.is_high_risk_allowed,
    areCallsStopped: row.are_calls_stopped,
  }
}

/** Filter for prefix rates: by numbers, or by calling code. All without a filter. */
export type RatesWanted = { number?: string; numbers?: readonly string[]; code?: string }

/** From this many numbers on, reading the price lists once is faster than looking up each prefix of each number. */
const MANY_NUMBERS = 1_000

type PriceList = { table: 'route_rates' | 'trunk_rates'; ids: readonly number[] }

/** Limits the rates to a number or country, because price lists have up to 100,000 lines. */
function wanted({ number, numbers, code }: RatesWanted, { table, ids }: PriceList): RawBuilder<boolean> {
  if (numbers !== undefined && numbers.length >= MANY_NUMBERS) {
    const owner = sql.ref(table === 'route_rates' ? 'route_id' : 'trunk_id')
    const lengths = sql`select distinct length(prefix) as digits from ${sql.table(table)} where ${owner} = any(${ids}::integer[])`
    return sql`prefix in (select left(number, digits)
      from unnest(${[...new Set(numbers)]}::text[]) as number, (${lengths}) as lengths)`
  }
  // A join with many prefixes, because each rate would be compared with the whole array.
  if (numbers !== undefined)
    return sql`prefix in (select unnest(${[...new Set(numbers.flatMap(stemsOf))]}::text[]))`
  if (number !== undefined) return sql`prefix = any(${stemsOf(number)}::text[])`
  if (code === undefined) return sql`true`
  return sql`(prefix between ${code} and ${code.padEnd(16, '9')} or prefix = any(${stemsOf(code)}::text[]))`
}

const stemsOf = (digits: string): string[] => Array.from(digits, (_, at) => digits.slice(0, at + 1))

/** All routes, or those that match the filter. */
export async function readRoutes(
  db: Database,
  {
    id,
    ids,
    planId,
    country,
    ...rates
  }: { id?: number; ids?: readonly number[]; planId?: number; country?: string } & RatesWanted = {},
): Promise<Route[]> {
  const rows = await db
    .selectFrom('routes')
    .innerJoin('plans', 'plans.id', 'routes.plan_id')
    .selectAll('routes')
    .select('plans.name as plan_name')
    .$if(id !== undefined, (query) => query.where('routes.id', '=', id ?? 0))
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`routes.id = any(${ids}::integer[])`))
    .$if(planId !== undefined, (query) => query.where('routes.plan_id', '=', planId ?? 0))
    .$if(country !== undefined, (query) => query.where('routes.country', '=', country ?? ''))
    .execute()
  const found = rows.map((row) => row.id)
  const finer = await db
    .selectFrom('route_rates')
    .selectAll()
    // The ids let PostgreSQL use the primary key, even with a prefix filter only.
    .where(sql<boolean>`route_id = any(${found}::integer[])`)
    .where(wanted(rates, { table: 'route_rates', ids: found }))
    .execute()
  const byRoute = Map.groupBy(finer, ({ route_id }) => route_id)
  return rows.map((row) => ({
    id: row.id,
    country: row.country,
    name: row.name,
    planId: row.plan_id,
    planName: row.plan_name,
    isPremium: row.is_premium,
    sellsBelowCost: row.sells_below_cost,
    rate: readRate(row),
    prefixRates: createPrefixIndex((byRoute.get(row.id) ?? []).map(readPrefixRate)),
  }))
}

/** All trunks, one, or those of a plan. */
export async function readTrunks(
  db: Database,
  { id, planId, ...wantedRates }: { id?: number; planId?: number } & RatesWanted = {},
): Promise<Trunk[]> {
  const rows = await db
    .selectFrom('trunks')
    .selectAll()
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .$if(planId !== undefined, (query) =>
      query.where('id', 'in', (eb) =>
        eb
          .selectFrom('trunk_plans')
          .select('trunk_id')
          .where('plan_id', '=', planId ?? 0),
      ),
    )
    .execute()
  const plans = await db
    .selectFrom('trunk_plans')
    .selectAll()
    .$if(id !== undefined, (query) => query.where('trunk_id', '=', id ?? 0))
    .execute()
  const found = rows.map((row) => row.id)
  const rates = await db
    .selectFrom('trunk_rates')
    .selectAll()
    .where(sql<boolean>`trunk_id = any(${found}::integer[])`)
    .where(wanted(wantedRates, { table: 'trunk_rates', ids: found }))
    .execute()
  const plansOf = Map.groupBy(plans, ({ trunk_id }) => trunk_id)
  const ratesOf = Map.groupBy(rates, ({ trunk_id }) => trunk_id)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    country: row.country,
    planIds: new Set(plansOf.get(row.id)?.map(({ plan_id }) => plan_id)),
    host: row.host,
    port: row.port,
    transport: row.transport,
    authUsername: row.auth_username,
    authPassword: row.auth_password,
    stripDigits: row.strip_digits,
    addPrefix: row.add_prefix,
    capacity: row.capacity,
    buyRate: {
      priceMicros: micros(row.buy_rate_micros),
      connectFeeMicros: micros(row.buy_connect_fee_micros),
      firstIncrement: row.buy_first_increment,
      nextIncrement: row.buy_next_increment,
    },
    buyRates: createPrefixIndex((ratesOf.get(row.id) ?? []).map(readPrefixRate)),
    isActive: row.status === 'active',
    priority: row.priority,
    isPrimary: row.is_primary,
  }))
}

export async function readEmergencyRoute(db: Database): Promise<EmergencyRoute | null> {
  const row = await db.selectFrom('emergency_route').selectAll().executeTakeFirst()
  return row ? { trunkId: row.trunk_id, sentAs: row.sent_as, callerId: row.caller_id } : null
}
