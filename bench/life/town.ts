import { startCarrier } from '../../sandbox/carriers/carrier.ts'
import { runSipp } from '../../sip/test/sipp.ts'
import { createPeople, type Person } from './person.ts'
import { ADMINISTRATOR, type Provider } from './provider.ts'

/** Creates all users, routes and trunks through the API. */
export type Town = Awaited<ReturnType<typeof settleTown>>
export type Customer = { person: Person; account: { user: string; password: string } }
export type Carriers = Awaited<ReturnType<typeof startCarriers>>

export const PRICE = 0.06
export const OTHER_PRICE = 0.066
/** Seconds covered by the balance of customers whose calls end by timeout. */
export const POOR_SECONDS = 7
export const NUMBERS = {
  gb: '442079460123',
  busy: '4930123486',
  rings: '4930123480',
  fr: '33142685300',
  it: '390612345678',
}

const PASSWORD = 'a password of the benchmark'
const AT_ONCE = 4

export async function startCarriers(provider: Provider, seconds: number) {
  const main = await runSipp({
    scenario: 'carrier',
    port: provider.nextPort(),
    calls: 10_000_000,
    timeoutSeconds: seconds + 600,
    speech: 'echo',
    recvTimeoutMs: 120_000,
  })
  const broken = await startCarrier({
    behaviorOf: () => ({ kind: 'refuse', code: 503, reason: 'Out of order' }),
  })
  const brief = await startCarrier({
    behaviorOf: () => ({ kind: 'echo', ringMs: 300, hangUpAfterMs: 3_500 }),
  })
  return {
    main: main.port,
    sandbox: provider.sandboxCarrier,
    broken: broken.port,
    brief: brief.port,
    async close() {
      // SIGKILL, because SIPp would wait for its open calls.
      main.kill()
      await main.ended
      await broken.close()
      await brief.close()
    },
  }
}

type Size = { customers: number; administrators: number; poor: number }

export async function settleTown(provider: Provider, carriers: Carriers, size: Size) {
  const people = createPeople()
  const { urls } = provider
  const urlOf = (index: number) => urls[index % urls.length] ?? ''
  const boss = await people.signIn(urlOf(0), ADMINISTRATOR.username, ADMINISTRATOR.password)
  const catalogue = await fillCatalogue(boss, carriers)
  /** Expected balances in micro-dollars, before the cost of calls. */
  const books = new Map<number, bigint>()
  const addToBooks = (userId: number, dollars: number) =>
    books.set(userId, (books.get(userId) ?? 0n) + BigInt(Math.round(dollars * 1_000_000)))

  async function customer(username: string, index: number, dollars: number): Promise<Customer> {
    const email = `${username}@customers.example`
    await done(boss.call('POST /api/user/add', { body: { username, password: PASSWORD, email } }))
    const person = await people.signIn(urlOf(index), username, PASSWORD)
    const callerid = `1202555${String(1_000 + index).padStart(4, '0')}`
    await done(person.call('POST /api/user/callerid', { body: { callerid, countrycode: '+1' } }))
    for (const route_id of catalogue.routeIds)
      await done(person.call('POST /api/user-selected-route', { body: { route_id } }))
    const { password } = await done(person.call('POST /api/user/sip/password'))
    const body = {
      user_id: person.id,
      amount: dollars,
      reason: 'To begin with',
      request_key: `begin-with-${person.id}`,
    }
    await done(boss.call('POST /api/admin/balance-adjustments', { body }))
    addToBooks(person.id, dollars)
    return { person, account: { user: username, password } }
  }

  const named = (name: string, count: number, dollars: number) =>
    inTurn(count, (index) => customer(`${name}-${index + 1}`, index, dollars))

  const pbxs = await named('pbx', 6, 1_000)
  for (const [index, { person }] of pbxs.entries()) {
    const params = { id: person.id }
    await done(
      boss.call('POST /api/admin/users/:id/addresses', { params, body: { address: addressOf(index) } }),
    )
    const body = { max_concurrent_calls: 10_000, max_calls_per_second: 1_000, daily_spend: 100_000 }
    await done(boss.call('PATCH /api/admin/users/:id/guards', { params, body }))
  }
  const phones = await named('phone', 40, 40)
  const clickers = await named('clicker', 4, 40)
  const watched = await named('watched', 4, 40)
  const rest = Math.max(10, size.customers - pbxs.length - phones.length - clickers.length - watched.length)
  const readers = await named('reader', rest, 25)
  const poor = await named('poor', size.poor, (POOR_SECONDS * PRICE) / 60 + 0.000321)
  const administrators = await inTurn(size.administrators, async (index) => {
    const username = `operator-${index + 1}`
    const body = { username, password: PASSWORD, is_admin: true }
    await done(boss.call('POST /api/user/add', { body }))
    return people.signIn(urlOf(index), username, PASSWORD)
  })
  return {
    people,
    boss,
    administrators,
    pbxs,
    phones,
    clickers,
    watched,
    readers,
    poor,
    ...catalogue,
    books,
    addToBooks,
  }
}

/** The address of a PBX. */
export const addressOf = (index: number): string => `127.0.0.${11 + index}`

async function fillCatalogue(boss: Person, carriers: Carriers) {
  const plans = ['Gold', 'Silver', 'Patient', 'Brief'] as const
  for (const name of plans) await done(boss.call('POST /api/plans', { body: { name } }))
  const trunk = async (name: string, port: number, served: string[], priority: number) => {
    const body = {
      name,
      host: '127.0.0.1',
      port,
      plans: served,
      priority,
      capacity: 5_000,
      buy_rate: 0.01,
    }
    return (await done(boss.call('POST /api/trunks', { body }))).trunk
  }
  const trunks = [
    await trunk('Main carrier', carriers.main, ['Gold', 'Patient'], 20),
    await trunk('Test carrier', carriers.sandbox, ['Silver'], 20),
    await trunk('Broken carrier', carriers.broken, ['Patient'], 10),
    await trunk('Brief carrier', carriers.brief, ['Brief'], 20),
  ]
  const route = async (country: string, planname: string) => {
    const body = { country, name: `${country} ${planname}`, planname, price: PRICE }
    return (await done(boss.call('POST /api/routes', { body }))).route.id
  }
  const routeIds = [
    await route('GB', 'Gold'),
    await route('DE', 'Silver'),
    await route('FR', 'Patient'),
    await route('IT', 'Brief'),
  ]
  // A successful ping of the newest trunk proves that the switch has all changes.
  for (const { id } of trunks) await done(boss.call('POST /api/trunks/:id/test', { params: { id } }))
  return { routeIds, trunkIds: trunks.map(({ id }) => id) }
}

async function done<Answer>(answer: Promise<Answer | null>): Promise<Answer> {
  const given = await answer
  if (given === null) throw new Error('setup failed: a request was refused')
  return given
}

async function inTurn<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
  const made: Value[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      made[index] = await make(index)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return made
}
