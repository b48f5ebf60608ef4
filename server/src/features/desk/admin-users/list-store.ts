import type { UserSort } from '@trunkline/contract/admin-users'
import { userFieldNames } from '@trunkline/contract/user-fields'
import type { Owner } from '@trunkline/domain/access'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

export type ListedUser = Omit<Selectable<Tables['users']>, 'password_hash'> & {
  balance_micros: bigint
  held_micros: bigint
  tags: string[]
  /** Sort value. */
  place: string
}

export type UserFilter = {
  search?: string | undefined
  premium?: 'yes' | 'no' | undefined
  disabled?: 'yes' | 'no' | undefined
  admin?: 'yes' | 'no' | undefined
  tag?: string | undefined
  sort: UserSort
  /** Cursor of the previous page. */
  after?: Cursor | undefined
  limit: number
}

/** Sort value and id of the last row. */
export type Cursor = { value: string; id: number }

/** Same expression as the index; see db/0011_user_administration.sql. */
const SEARCHED = sql`lower(users.username || ' ' || coalesce(users.email, '') || ' ' || coalesce(users.company, ''))`
/** Trigrams need three letters. Shorter searches match only the start of usernames. */
const TRIGRAM = 3
const ID = /^[0-9]{1,9}$/

type Order = {
  from: RawBuilder<unknown>
  by: RawBuilder<unknown>
  type: RawBuilder<unknown>
  isDown: boolean
}

const USERS = sql`users`
/** Balances change with every call and have no index. A separate table has their order, at most a minute old. */
const BY_BALANCE = sql`balance_order join users on users.id = balance_order.user_id`
const byId = { from: USERS, by: sql`users.id`, type: sql`integer` }
const byName = { from: USERS, by: sql`lower(users.username)`, type: sql`text` }
const byBalance = { from: BY_BALANCE, by: sql`balance_order.balance_micros`, type: sql`bigint` }

const orders: Record<UserSort, Order> = {
  newest: { ...byId, isDown: true },
  oldest: { ...byId, isDown: false },
  name: { ...byName, isDown: false },
  name_desc: { ...byName, isDown: true },
  balance: { ...byBalance, isDown: true },
  balance_asc: { ...byBalance, isDown: false },
}

export async function listUsers(db: Database, owner: Owner, filter: UserFilter): Promise<ListedUser[]> {
  const order = orders[filter.sort]
  const direction = order.isDown ? sql`desc` : sql`asc`
  // Only balances need the id as tie-breaker. Elsewhere another column would prevent the use of the index.
  const tie = order.from === BY_BALANCE ? sql`, balance_order.user_id ${direction}` : sql``
  const wanted = [
    owner.userId === null ? null : sql`users.id = ${owner.userId}`,
    found(filter.search ?? ''),
    flag(filter.premium, sql`users.is_premium`),
    flag(filter.disabled, sql`users.disabled_at is not null`),
    flag(filter.admin, sql`users.is_admin`),
    filter.tag === undefined ? null : tagged(filter.tag),
    filter.after ? beyond(order, filter.after) : null,
  ].filter((condition) => condition !== null)
  // Joins accounts and tags after the limit, so only rows of the page are read.
  const { rows } = await sql<ListedUser>`
    select page.*, accounts.balance_micros, accounts.held_micros,
           array(select tag from user_tags where user_tags.user_id = page.id order by tag) as tags
      from (select users.id, ${sql.join(userFieldNames.map((name) => sql.ref(`users.${name}`)))}, users.is_admin, users.is_premium, users.disabled_at, users.created_at, users.version,
                   ${order.by}::text as place, row_number() over (order by ${order.by} ${direction}${tie}) as number
              from ${order.from}
             where ${wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `)}
             order by ${order.by} ${direction}${tie}
             limit ${filter.limit}) as page
      join accounts on accounts.user_id = page.id
     order by page.number`.execute(db)
  return rows
}

function beyond({ from, by, type, isDown }: Order, { value, id }: Cursor): RawBuilder<unknown> {
  const than = isDown ? sql`<` : sql`>`
  return from === BY_BALANCE
    ? sql`(${by}, balance_order.user_id) ${than} (${value}::bigint, ${id}::integer)`
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
  if (text.length < TRIGRAM) return sql`lower(users.username) like ${`${literally(text)}%`}`
  // Searches the index only for the part before the @, because many users share the domain.
  const at = text.indexOf('@')
  return at < TRIGRAM
    ? sql`${SEARCHED} like ${`%${literally(text)}%`}`
    : sql`(${SEARCHED} like ${`%${literally(text.slice(0, at + 1))}%`} and position(${text} in ${SEARCHED}) > 0)`
}

const flag = (wanted: 'yes' | 'no' | undefined, condition: RawBuilder<unknown>) =>
  wanted === undefined ? null : wanted === 'yes' ? sql`(${condition})` : sql`not (${condition})`
