import type { UserFilter, UserSort } from '@trunkline/contract/admin-users'
import { userFieldNames } from '@trunkline/contract/user-fields'
import type { Owner } from '@trunkline/domain/access'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import { healthConditions, healthFigures } from './health-store.ts'

export type ListedUser = Omit<Selectable<Tables['users']>, 'password_hash'> & {
  balance_micros: bigint
  held_micros: bigint
  tags: string[]
  /** Sort value. */
  place: string
}

/** Health depends on the time. */
type FilterNow = UserFilter & { now: Date }

export type UserPage = FilterNow & {
  sort: UserSort
  /** Cursor of the previous page. */
  after?: Cursor | undefined
  limit: number
}

/** Sort value and id of the last row. */
export type Cursor = { value: string; id: number }

/** Same expression as the index; see db/0011_user_administration.sql. */
const SEARCHED = sql`lower(users.username || ' ' || coalesce(users.email, '') || ' ' || coalesce(users.company, ''))`
/** Same expression as the index; see db/0063_usernames_in_byte_order.sql. */
const NAME = sql`lower(users.username) collate "C"`
/** Trigrams need three letters. Shorter searches match only the start of usernames. */
const TRIGRAM = 3
const ID = /^[0-9]{1,9}$/

type Order = {
  from: RawBuilder<unknown>
  by: RawBuilder<unknown>
  type: RawBuilder<unknown>
  isDown: boolean
  /** Orders rows with the same value. Names and ids are unique, and another column would prevent the use of their index. */
  tie: RawBuilder<unknown> | null
}

const USERS = sql`users`
/** Balances change with every call and have no index. A separate table has their order, at most a minute old. */
const BY_BALANCE = sql`balance_order join users on users.id = balance_order.user_id`
const byId = { from: USERS, by: sql`users.id`, type: sql`integer`, tie: null }
const byName = { from: USERS, by: NAME, type: sql`text`, tie: null }
const byBalance = {
  from: BY_BALANCE,
  by: sql`balance_order.balance_micros`,
  type: sql`bigint`,
  tie: sql`balance_order.user_id`,
}

/** After every real value. */
const LAST = sql`${sql.lit('9000000000000000')}::bigint`
/** In thousandths, so that cursors are whole numbers. */
const healthOrders = {
  spend_change: {
    value: sql`case when spend_before > 0 then spend * 1000 / spend_before end`,
    last: LAST,
    isDown: false,
  },
  failed_calls: {
    value: sql`case when calls > 0 then failed::bigint * 1000 / calls end`,
    last: sql`-1::bigint`,
    isDown: true,
  },
  balance_days: {
    value: sql`case when spend > 0 then available * 7000 / spend end`,
    last: LAST,
    isDown: false,
  },
} as const
type HealthSort = keyof typeof healthOrders

/** Users without calls and disabled users come last. */
function byHealth(now: Date, name: HealthSort): Order {
  const { value, last, isDown } = healthOrders[name]
  return {
    from: sql`users left join
              (select user_id, ${value} as value from (${healthFigures(now, null)}) as figures) as health
              on health.user_id = users.id`,
    by: sql`coalesce(health.value, ${last})`,
    type: sql`bigint`,
    tie: sql`users.id`,
    isDown,
  }
}

const isHealthSort = (sort: UserSort): sort is HealthSort => Object.hasOwn(healthOrders, sort)

const orders: Record<Exclude<UserSort, HealthSort>, Order> = {
  newest: { ...byId, isDown: true },
  oldest: { ...byId, isDown: false },
  name: { ...byName, isDown: false },
  name_desc: { ...byName, isDown: true },
  balance: { ...byBalance, isDown: true },
  balance_asc: { ...byBalance, isDown: false },
}

export async function listUsers(db: Database, owner: Owner, filter: UserPage): Promise<ListedUser[]> {
  const { sort, now } = filter
  const order = isHealthSort(sort) ? byHealth(now, sort) : orders[sort]
  const direction = order.isDown ? sql`desc` : sql`asc`
  const tie = order.tie ? sql`, ${order.tie} ${direction}` : sql``
  const wanted = allOf([...matching(owner, filter), filter.after ? beyond(order, filter.after) : null])
  // Joins accounts and tags after the limit, so only rows of the page are read.
  const { rows } = await sql<ListedUser>`
    select page.*, accounts.balance_micros, accounts.held_micros,
           array(select tag from user_tags where user_tags.user_id = page.id order by tag) as tags
      from (select users.id, ${sql.join(userFieldNames.map((name) => sql.ref(`users.${name}`)))}, users.is_admin, users.is_premium, users.disabled_at, users.created_at, users.version,
                   ${order.by}::text as place, row_number() over (order by ${order.by} ${direction}${tie}) as number
              from ${order.from}
             where ${wanted}
             order by ${order.by} ${direction}${tie}
             limit ${filter.limit}) as page
      join accounts on accounts.user_id = page.id
     order by page.number`.execute(db)
  return rows
}

type Condition = RawBuilder<unknown> | null

const matching = (owner: Owner, filter: FilterNow): Condition[] => [
  owner.userId === null ? null : sql`users.id = ${owner.userId}`,
  found(filter.search ?? ''),
  flag(filter.premium, sql`users.is_premium`),
  flag(filter.disabled, sql`users.disabled_at is not null`),
  flag(filter.admin, sql`users.is_admin`),
  filter.tag === undefined ? null : tagged(filter.tag),
  filter.health === undefined ? null : unhealthy(filter.now, filter.health),
]

function allOf(conditions: readonly Condition[]): RawBuilder<unknown> {
  const given = conditions.filter((condition) => condition !== null)
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `)
}

function unhealthy(now: Date, wanted: NonNullable<UserFilter['health']>): RawBuilder<unknown> {
  const condition =
    wanted === 'any' ? sql.join(Object.values(healthConditions), sql` or `) : healthConditions[wanted]
  return sql`users.id in (select user_id from (${healthFigures(now, null)}) as figures where ${condition})`
}

export async function countUsers(db: Database, owner: Owner, filter: FilterNow): Promise<number> {
  const { rows } = await sql<{ users: number }>`
    select count(*)::integer as users from users where ${allOf(matching(owner, filter))}`.execute(db)
  return rows[0]?.users ?? 0
}

/** The ids of matching users, at most `limit`. */
export async function findUserIds(
  db: Database,
  owner: Owner,
  filter: FilterNow,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select users.id from users where ${allOf(matching(owner, filter))} order by users.id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

function beyond({ by, type, isDown, tie }: Order, { value, id }: Cursor): RawBuilder<unknown> {
  const than = isDown ? sql`<` : sql`>`
  return tie
    ? sql`(${by}, ${tie}) ${than} (${value}::bigint, ${id}::integer)`
    : sql`${by} ${than} ${value}::${type}`
}

function found(search: string): RawBuilder<unknown> | null {
  if (search === '') return null
  const text = holds(search.toLowerCase())
  return ID.test(search) ? sql`(${text} or users.id = ${Number(search)})` : text
}

const tagged = (tag: string): RawBuilder<unknown> =>
  sql`exists (select from user_tags where user_tags.user_id = users.id and user_tags.tag = ${tag})`

const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function holds(text: string): RawBuilder<unknown> {
  if (text.length < TRIGRAM) return sql`${NAME} like ${`${literally(text)}%`}`
  // Searches the index only for the part before the @, because many users share the domain.
  const at = text.indexOf('@')
  return at < TRIGRAM
    ? sql`${SEARCHED} like ${`%${literally(text)}%`}`
    : sql`(${SEARCHED} like ${`%${literally(text.slice(0, at + 1))}%`} and position(${text} in ${SEARCHED}) > 0)`
}

const flag = (wanted: 'yes' | 'no' | undefined, condition: RawBuilder<unknown>) =>
  wanted === undefined ? null : wanted === 'yes' ? sql`(${condition})` : sql`not (${condition})`
