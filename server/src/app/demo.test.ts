import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { system } from '@trunkline/domain/access'
import { admit } from '@trunkline/domain/callcontrol'
import { problemsOf } from '@trunkline/domain/flows'
import { ZERO } from '@trunkline/domain/money'
import { completions, parseNumber } from '@trunkline/domain/numbers'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../../test/lifetime.ts'
import { createPortal, type Portal } from '../../test/portal.ts'
import { createCatalogue } from '../features/catalogue/snapshot/catalogue.ts'
import { readEverything } from '../features/catalogue/snapshot/store.ts'
import { DAY } from '../platform/clock.ts'
import { createPasswordHasher } from '../platform/password-hasher.ts'
import { closeDemo, ensureDemo } from './demo.ts'
import { demoCustomers, demoRoutes } from './demo-catalogue.ts'
import { demoNumbers } from './demo-numbers.ts'
import { fillVoicemail } from './demo-voicemail.ts'

const counts = async ({ services: { db } }: Portal) => ({
  users: (await db.selectFrom('users').select('id').execute()).length,
  plans: (await db.selectFrom('plans').select('id').execute()).length,
  trunks: (await db.selectFrom('trunks').select('id').execute()).length,
  routes: (await db.selectFrom('routes').select('id').execute()).length,
  selections: (await db.selectFrom('selected_routes').select('country').execute()).length,
})

const cheapHasher = () => createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 })

const LANDLINES = [
  ...['12125550123', '442079460958', '4930901820', '33140205050', '911123456789', '14165550123'],
  ...['61291234567', '34911234567', '31201234567', '551123456789', '81312345678', '525512345678'],
]

describe('the demo catalogue', () => {
  it('is created once, even by concurrent processes, with all balances at zero', async () => {
    const portal = await createPortal()
    await Promise.all([1, 2, 3].map(() => ensureDemo(portal.services, portal.clock)))
    const first = await counts(portal)
    expect(first).toMatchObject({ users: 10, plans: 4, trunks: 8, selections: 9 * 12 })
    await ensureDemo(portal.services, portal.clock)
    expect(await counts(portal)).toEqual(first)
    const accounts = await portal.services.db.selectFrom('accounts').selectAll().execute()
    expect(accounts.every(({ balance_micros }) => balance_micros === 0n)).toBe(true)
  })

  it('leaves voicemail messages once, and none without a voice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-sounds-'))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    const { services, clock } = await createPortal({ SOUND_FOLDER: folder, SOUND_KEY: 'ab'.repeat(32) })
    const sound = { alaw: new Uint8Array(16_000), ulaw: new Uint8Array(16_000) }
    const stored = () =>
      services.db
        .selectFrom('voicemails')
        .innerJoin('users', 'users.id', 'voicemails.user_id')
        .select(['username', 'seconds', 'state', 'started_at'])
        .orderBy('voicemails.id')
        .execute()
    await fillVoicemail(services, clock, async () => sound)
    expect(await stored()).toEqual([])
    await ensureDemo(services, clock)
    await fillVoicemail(services, clock, async (text) => (text.includes('Paula') ? null : sound))
    const messages = await stored()
    expect(messages).toMatchObject([
      { username: 'alice', seconds: '2.00', state: 'new' },
      { username: 'alice', seconds: '2.00', state: 'new' },
    ])
    expect(messages.every(({ started_at }) => started_at < clock.now())).toBe(true)
    await fillVoicemail(services, clock, async () => sound)
    expect(await stored()).toEqual(messages)
  })

  it('does not restore changed or deleted data', async () => {
    const portal = await createPortal()
    const { db } = portal.services
    await ensureDemo(portal.services, portal.clock)
    await db.updateTable('routes').set({ price_micros: 1n }).where('country', '=', 'US').execute()
    await db.deleteFrom('routes').where('country', '=', 'MX').execute()
    await db.updateTable('caller_ids').set({ callerid: '4915112345678' }).execute()
    const changed = await counts(portal)
    await ensureDemo(portal.services, portal.clock)
    expect(await counts(portal)).toEqual(changed)
    const prices = await db.selectFrom('routes').select('price_micros').where('country', '=', 'US').execute()
    expect(prices.every(({ price_micros }) => price_micros === 1n)).toBe(true)
    const { callerid } = await db.selectFrom('caller_ids').select('callerid').executeTakeFirstOrThrow()
    expect(callerid).toBe('4915112345678')
  })

  it('lets every demo customer call landlines and mobile phones of every country in the catalogue', async () => {
    const portal = await createPortal()
    await ensureDemo(portal.services, portal.clock)
    const { db } = portal.services
    const systemOwner = system('test')
    const catalogue = createCatalogue('any')
    catalogue.replaceAll(await readEverything(db, systemOwner))
    const mobiles = demoRoutes.flatMap(({ rates }) => rates.map(({ prefix }) => [...completions(prefix)][0]))
    const numbers = [...LANDLINES.map((number) => parseNumber(number)), ...mobiles]
    const reached = new Set(numbers.map((number) => number?.country))
    expect(reached).toEqual(new Set(demoRoutes.map(({ country }) => country)))
    for (const { username } of demoCustomers)
      for (const number of numbers) {
        const decision = admit({
          user: catalogue.userByName(username),
          number: number ?? null,
          trunks: catalogue.trunks(),
          usedOf: () => 0,
          liveCalls: 0,
          callsThisSecond: 0,
          sliceSeconds: 60,
          spentTodayMicros: ZERO,
          heldTodayMicros: ZERO,
        })
        expect({ username, number, refused: decision.ok ? null : decision.reason }).toMatchObject({
          refused: null,
        })
      }
  })
})

describe('the numbers of the demo', () => {
  const numbersOf = ({ services: { db } }: Portal) => db.selectFrom('numbers').selectAll().execute()

  it('are valid, of six countries, with carriers, and two belong to each of two customers', async () => {
    const portal = await createPortal()
    await ensureDemo(portal.services, portal.clock)
    const numbers = await numbersOf(portal)
    expect(numbers).toHaveLength(42)
    expect(numbers.map(({ e164 }) => parseNumber(`+${e164}`)?.country)).toEqual(
      numbers.map(({ country }) => country),
    )
    expect(new Set(numbers.map(({ country }) => country)).size).toBe(6)
    expect(numbers.every(({ trunk_id }) => trunk_id !== null)).toBe(true)
    const rentals = await portal.services.db
      .selectFrom('number_rentals')
      .innerJoin('users', 'users.id', 'number_rentals.user_id')
      .select('username')
      .orderBy('number_rentals.id')
      .execute()
    expect(rentals.map(({ username }) => username)).toEqual(['alice', 'alice', 'paula', 'paula'])
  })

  it('are removed with the demo, except those that another customer rents', async () => {
    const portal = await createPortal()
    const { db, accounts, inventory } = portal.services
    await ensureDemo(portal.services, portal.clock)
    const { id: admin } = await accounts.create({ username: 'root', password: 'a password', isAdmin: true })
    const { id: customer } = await accounts.create({ username: 'carol', password: 'a password' })
    const rented = (await numbersOf(portal)).find(({ status }) => status === 'available')
    await inventory.assign({ userId: admin, isAdmin: true }, rented?.id ?? 0, {
      user_id: customer,
      charge: false,
      request_key: 'leave-demo-test',
    })
    await closeDemo(db, portal.clock, cheapHasher())
    expect(await numbersOf(portal)).toMatchObject([{ id: rented?.id, status: 'rented', user_id: customer }])
    const states = await db.selectFrom('number_rentals').select(['user_id', 'state']).orderBy('id').execute()
    expect(states.map(({ state }) => state)).toEqual(['ended', 'ended', 'ended', 'ended', 'active'])
    expect(demoNumbers).toHaveLength(42)
  })
})

describe('leaving the demo', () => {
  const usersOf = ({ services: { db } }: Portal) =>
    db
      .selectFrom('users')
      .select(['username', 'email', 'is_admin', 'disabled_at', 'password_hash'])
      .orderBy('id')
      .execute()

  it('closes every account with a public password, whatever its name and email', async () => {
    const portal = await createPortal()
    const { db, accounts } = portal.services
    await ensureDemo(portal.services, portal.clock)
    portal.clock.advance(DAY)
    const longName = 'x'.repeat(64)
    const rename = (from: string, username: string) =>
      db
        .updateTable('users')
        .set({ username, email: 'own@company.test' })
        .where('username', '=', from)
        .execute()
    await rename('admin', 'boss')
    await rename('alice', 'alice')
    await rename('paula', longName)
    // A later start of the demo creates the missing accounts again.
    await ensureDemo(portal.services, portal.clock)
    await accounts.create({ username: 'carol', password: 'a password' })
    await accounts.create({ username: 'root', password: 'a password', isAdmin: true })
    await accounts.create({ username: 'second', password: 'trunkline-admin', isAdmin: true })

    const closed = await closeDemo(db, portal.clock, cheapHasher())
    expect(closed.toSorted()).toEqual(
      ['admin', 'boss', 'second', longName, ...demoCustomers.map(({ username }) => username)].toSorted(),
    )
    const open = (await usersOf(portal)).filter(({ disabled_at }) => disabled_at === null)
    expect(open.map(({ username, is_admin }) => [username, is_admin])).toEqual([
      ['carol', false],
      ['root', true],
    ])
    for (const username of closed)
      expect((await signInAs(portal, username, 'trunkline-admin')).status).toBe(401)
    expect(await closeDemo(db, portal.clock, cheapHasher())).toEqual([])
  })

  it('keeps accounts with an own name or email and an own password', async () => {
    const portal = await createPortal()
    const { db } = portal.services
    await ensureDemo(portal.services, portal.clock)
    const password_hash = await cheapHasher().hash('an own password')
    const change = (username: string, changes: { username?: string; email?: string }) =>
      db
        .updateTable('users')
        .set({ ...changes, password_hash })
        .where('username', '=', username)
        .execute()
    await change('admin', { username: 'boss' })
    await change('alice', { email: 'alice@company.test' })
    await change('paula', {})
    expect(await closeDemo(db, portal.clock, cheapHasher())).toContain('paula')
    const open = (await usersOf(portal)).filter(({ disabled_at }) => disabled_at === null)
    expect(open).toEqual([
      expect.objectContaining({ username: 'boss', is_admin: true, password_hash }),
      expect.objectContaining({ username: 'alice', email: 'alice@company.test', password_hash }),
    ])
  })
})

const signInAs = (portal: Portal, username: string, password: string) =>
  portal.call('POST /api/auth/login', { body: { username, password } })

it('gives a demo customer a published flow without problems on a number, and a draft', async () => {
  const portal = await createPortal()
  const { db, flows } = portal.services
  await ensureDemo(portal.services, portal.clock)
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'alice')
    .executeTakeFirstOrThrow()
  const caller = { userId: id, isAdmin: false }
  const [reception, support, weekend] = await flows.list(caller)
  expect(reception).toMatchObject({
    name: 'Reception',
    published_version: 1,
    is_changed: false,
    numbers: ['442079460120'],
  })
  expect(support).toMatchObject({ name: 'Support line', published_version: 1, numbers: [] })
  expect(weekend).toMatchObject({ name: 'Weekend', published_version: null, numbers: [] })
  const { draft } = await flows.get(caller, reception?.id ?? 0)
  expect(problemsOf(draft)).toEqual([])
  await flows.publish(caller, weekend?.id ?? 0, { version: 1, note: '' })
  expect(await db.selectFrom('media_calls').selectAll().execute()).toEqual([])
})
