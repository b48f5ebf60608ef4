import { system } from '@trunkline/domain/access'
import { findCallerId, saveCallerId } from '../features/calls/caller-ids/store.ts'
import { findGuardLayers, noGuards, saveGuardLayer } from '../features/catalogue/guards/store.ts'
import { insertPlan, listPlans } from '../features/catalogue/plans/store.ts'
import { replaceRates } from '../features/catalogue/prefix-rates/store.ts'
import { prefixRateOf } from '../features/catalogue/prefix-rates/wire.ts'
import { listRoutes } from '../features/catalogue/routes/list-store.ts'
import { insertRoute, type RouteRow } from '../features/catalogue/routes/store.ts'
import { listRules, saveRule } from '../features/catalogue/routing-rules/store.ts'
import { listSelectedRoutes, selectRoute } from '../features/catalogue/selected-routes/store.ts'
import {
  insertTrunk,
  listTrunks,
  replaceTrunkPlans,
  updateTrunk,
} from '../features/catalogue/trunks/store.ts'
import { updateUser } from '../features/desk/admin-users/store.ts'
import type { Accounts } from '../features/identity/accounts/service.ts'
import {
  deleteSetting,
  findSetting,
  saveSetting,
  WEBSITE_IP,
} from '../features/identity/service-settings/store.ts'
import { deleteSessionsOf } from '../features/identity/sessions/store.ts'
import {
  findUserByName,
  listDemoCandidates,
  setPasswordHash,
  type UserRow,
} from '../features/identity/users/store.ts'
import type { Ledger } from '../features/money/ledger/service.ts'
import { microsOf } from '../platform/amounts.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { PasswordHasher } from '../platform/password-hasher.ts'
import { PROFILE_SETTING } from '../platform/profile.ts'
import { newToken } from '../platform/tokens.ts'
import {
  buyRatesOf,
  type DemoCustomer,
  demoCustomers,
  demoPlans,
  demoRoutes,
  demoRules,
  demoTrunks,
} from './demo-catalogue.ts'
import { fillFlows } from './demo-flows.ts'
import { closeNumbers, fillNumbers } from './demo-numbers.ts'

/** Sign-in accounts of the demo profile. */
export const demoAccounts = [
  { username: 'admin', role: 'Administrator' },
  { username: 'alice', role: 'Customer' },
  { username: 'paula', role: 'Premium customer' },
].map(({ username, role }) => ({ username, password: passwordOf(username), role }))

/** Increase it when the catalogue grows, so the next start adds the new entries. */
const CATALOGUE_VERSION = '4'

/** Server address shown to customers if there is no switch. */
const NO_ADDRESS = 'sip.trunkline.example'

const systemOwner = system('demo')

const CATALOGUE = 'demo_catalogue'

/**
 * Creates the demo accounts and catalogue once. Existing data stays: users keep changed passwords, and deleted entries do not
 * come back at the next start.
 */
export async function ensureDemo(
  { db, accounts, ledger }: { db: Database; accounts: Accounts; ledger: Ledger },
  clock: Clock,
  carrier: string | null = null,
  network: string | null = null,
): Promise<void> {
  await ensureAccounts(accounts)
  await db.transaction().execute(async (tx) => {
    const now = clock.now()
    // Concurrent processes wait here and then find the setting.
    if (!(await saveSetting(tx, CATALOGUE, CATALOGUE_VERSION, now))) return
    const planIds = await fillPlans(tx, now)
    await fillTrunks(tx, planIds, now)
    await fillRules(tx, planIds, now)
    await fillRoutes(tx, planIds, now)
    const routes = await listRoutes(tx)
    for (const customer of demoCustomers) await fillCustomer(tx, customer, routes, now)
    await fillNumbers(tx, clock, ledger)
    await fillFlows(tx, now)
    if ((await findSetting(tx, WEBSITE_IP)) === null) await saveSetting(tx, WEBSITE_IP, NO_ADDRESS, now)
  })
  if (carrier !== null)
    await db.transaction().execute((tx) => useSandboxCarrier(tx, carrier, network, clock.now()))
}

/** With a real switch: sets it as server address, and connects the fictional carriers with the sandbox in both directions. */
async function useSandboxCarrier(
  tx: Database,
  carrier: string,
  network: string | null,
  now: Date,
): Promise<void> {
  const [host = '', port] = carrier.split(':')
  if ((await findSetting(tx, WEBSITE_IP)) === NO_ADDRESS) await saveSetting(tx, WEBSITE_IP, host, now)
  const own = new Map(demoTrunks.map((trunk) => [trunk.name, trunk.host]))
  // Skips trunks whose address an administrator changed.
  for (const trunk of await listTrunks(tx, systemOwner, now))
    if (trunk.host === own.get(trunk.name) || (own.has(trunk.name) && trunk.host === host))
      await updateTrunk(tx, trunk.id, {
        host,
        port: Number(port),
        transport: 'udp',
        ...(network !== null && { incoming_sources: [network] }),
        updated_at: now,
      })
}

async function ensureAccounts(accounts: Accounts): Promise<void> {
  const people = [{ username: 'admin', isAdmin: true }, ...demoCustomers.map(accountOf)]
  for (const person of people)
    await accounts.ensure({
      ...person,
      password: passwordOf(person.username),
      email: emailOf(person.username),
    })
}

/**
 * Prepares a demo database for production: renames and disables the demo accounts, deactivates the demo trunks and removes the
 * demo numbers. Calls and postings stay. Returns the closed usernames.
 */
export async function closeDemo(db: Database, clock: Clock, hasher: PasswordHasher): Promise<string[]> {
  const accounts = await findDemoAccounts(db, hasher)
  const unknownHash = await hasher.hash(newToken())
  return await db.transaction().execute(async (tx) => {
    const now = clock.now()
    for (const { id, username } of accounts) {
      await setPasswordHash(tx, systemOwner, id, unknownHash)
      await deleteSessionsOf(tx, id)
      // Usernames have at most 64 characters.
      const free = { username: `demo-${username.slice(0, 48)}-${id}`, email: null, is_admin: false }
      await updateUser(tx, systemOwner, id, { ...free, disabled_at: now })
    }
    const demoNames = new Set(demoTrunks.map(({ name }) => name))
    for (const trunk of await listTrunks(tx, systemOwner, now))
      if (demoNames.has(trunk.name) && /\.example$|^127\./.test(trunk.host))
        await updateTrunk(tx, trunk.id, {
          status: 'inactive',
          is_primary: false,
          updated_at: now,
        })
    await closeNumbers(
      tx,
      accounts.map(({ id }) => id),
      now,
    )
    await deleteSetting(tx, CATALOGUE)
    await saveSetting(tx, PROFILE_SETTING, 'production', now)
    return accounts.map(({ username }) => username)
  })
}

/**
 * Users with the name and email of a demo account, and users with a public password, because demo users can change their name and
 * email. Checking a password takes 37 ms, so only users who can be demo accounts are checked.
 */
async function findDemoAccounts(db: Database, hasher: PasswordHasher): Promise<UserRow[]> {
  const usernames = ['admin', ...demoCustomers.map(({ username }) => username)]
  const passwords = usernames.map(passwordOf)
  const candidates = await listDemoCandidates(db, systemOwner, {
    usernames,
    emails: usernames.map(emailOf),
  })
  const found: UserRow[] = []
  for (const user of candidates) {
    const username = user.username.toLowerCase()
    const isUnchanged = usernames.includes(username) && user.email === emailOf(username)
    if (isUnchanged || (await hasOneOf(passwords, user, hasher))) found.push(user)
  }
  return found
}

async function hasOneOf(
  passwords: readonly string[],
  user: UserRow,
  hasher: PasswordHasher,
): Promise<boolean> {
  for (const password of passwords) if (await hasher.matches(password, user.password_hash)) return true
  return false
}

const emailOf = (username: string): string => `${username}@trunkline.example`

const accountOf = ({ username, company, isPremium }: DemoCustomer) => ({ username, company, isPremium })

function passwordOf(username: string): string {
  return `trunkline-${username}`
}

async function fillPlans(tx: Database, now: Date): Promise<Map<string, number>> {
  const planIds = new Map((await listPlans(tx)).map(({ name, id }) => [name, id]))
  for (const name of demoPlans)
    if (!planIds.has(name)) planIds.set(name, (await insertPlan(tx, name, now)).id)
  return planIds
}

async function fillTrunks(tx: Database, planIds: Map<string, number>, now: Date): Promise<void> {
  const existing = new Set((await listTrunks(tx, systemOwner, now)).map(({ name }) => name))
  for (const trunk of demoTrunks.filter(({ name }) => !existing.has(name))) {
    const id = await insertTrunk(tx, {
      name: trunk.name,
      provider: trunk.provider,
      type: trunk.type ?? 'sip',
      country: trunk.country,
      host: trunk.host,
      transport: trunk.transport ?? 'udp',
      add_prefix: trunk.addPrefix ?? '',
      capacity: trunk.capacity,
      buy_rate_micros: microsOf(trunk.otherwise),
      buy_first_increment: trunk.increments?.[0] ?? 1,
      buy_next_increment: trunk.increments?.[1] ?? 1,
      status: trunk.isActive === false ? 'inactive' : 'active',
      priority: trunk.priority,
      // Keeps an existing choice of primary trunks.
      is_primary: trunk.isPrimary === true && existing.size === 0,
      created_at: now,
      updated_at: now,
    })
    await replaceTrunkPlans(tx, id, idsOf(trunk.plans, planIds))
    await replaceRates(tx, 'trunk', id, buyRatesOf(trunk).map(prefixRateOf))
  }
}

async function fillRules(tx: Database, planIds: Map<string, number>, now: Date): Promise<void> {
  if ((await listRules(tx)).length > 0) return
  const trunks = await listTrunks(tx, systemOwner, now)
  for (const { plan, country, minAsr, order } of demoRules) {
    const [planId] = idsOf([plan], planIds)
    if (planId === undefined) continue
    await saveRule(tx, undefined, {
      plan_id: planId,
      country,
      mode: order.length > 0 ? 'order' : 'cost',
      min_asr: minAsr,
      min_calls: minAsr && 40,
      window_minutes: minAsr && 120,
      rest_minutes: minAsr && 30,
      updated_at: now,
      trunks: trunks
        .filter(({ name }) => order.includes(name))
        .sort((left, right) => order.indexOf(left.name) - order.indexOf(right.name))
        .map(({ id }) => ({ id, percent: null })),
    })
  }
}

async function fillRoutes(tx: Database, planIds: Map<string, number>, now: Date): Promise<void> {
  const existing = new Set((await listRoutes(tx)).map(({ country, name }) => `${country} ${name}`))
  for (const route of demoRoutes.filter(({ country, name }) => !existing.has(`${country} ${name}`))) {
    const [planId = 0] = idsOf([route.plan], planIds)
    const [first_increment, next_increment] = route.increments
    const terms = { connect_fee_micros: microsOf(route.connectFee), first_increment, next_increment }
    const id = await insertRoute(tx, {
      ...terms,
      country: route.country,
      name: route.name,
      plan_id: planId,
      price_micros: microsOf(route.price),
      is_premium: route.isPremium,
      sells_below_cost: route.sellsBelowCost,
      created_at: now,
      updated_at: now,
    })
    const connect_fee = route.connectFee
    const rates = route.rates.map((rate) =>
      prefixRateOf({ ...rate, connect_fee, first_increment, next_increment }),
    )
    await replaceRates(tx, 'route', id, rates)
  }
}

async function fillCustomer(
  tx: Database,
  customer: DemoCustomer,
  routes: readonly RouteRow[],
  now: Date,
): Promise<void> {
  const user = await findUserByName(tx, systemOwner, customer.username)
  if (!user) return
  if (!(await findCallerId(tx, systemOwner, user.id)))
    await saveCallerId(
      tx,
      systemOwner,
      user.id,
      { callerid: customer.callerId, countrycode: '', name: customer.username },
      now,
    )
  if (!(await findGuardLayers(tx, systemOwner, user.id)).admin)
    await saveGuardLayer(
      tx,
      systemOwner,
      user.id,
      'admin',
      {
        ...noGuards,
        max_concurrent_calls: customer.guards.concurrent,
        max_calls_per_second: customer.guards.perSecond,
        daily_spend_micros: microsOf(customer.guards.dailySpend),
      },
      now,
    )
  const chosen = new Set((await listSelectedRoutes(tx, systemOwner, user.id)).map(({ country }) => country))
  for (const route of preferred(routes, customer))
    if (!chosen.has(route.country))
      await selectRoute(tx, systemOwner, { userId: user.id, routeId: route.id, country: route.country }, now)
}

/** One route per country, from the most preferred plan. */
function preferred(routes: readonly RouteRow[], { prefers }: DemoCustomer): RouteRow[] {
  const best = new Map<string, RouteRow>()
  for (const plan of prefers)
    for (const route of routes)
      if (route.plan_name === plan && !best.has(route.country)) best.set(route.country, route)
  return [...best.values()]
}

const idsOf = (plans: readonly string[], planIds: Map<string, number>): number[] =>
  plans.map((name) => {
    const id = planIds.get(name)
    if (id === undefined) throw new Error(`the plan ${name} is missing`)
    return id
  })
