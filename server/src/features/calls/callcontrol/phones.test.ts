import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { HASHES, openBrowser } from '../../../../test/incoming.ts'
import { startPlainSwitch } from '../../../../test/plain-switch.ts'
import { createSmallProvider, usd } from '../../../../test/telephony.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { fingerprintOf } from '../../../platform/tokens.ts'

async function setUp() {
  const phone = await createSmallProvider()
  const box = await startPlainSwitch()
  const customer = await phone.newCustomer(usd(1), phone.routeId)
  const give = (realm: string, columns = HASHES) => {
    const row = { user_id: customer.id, realm, made_at: phone.clock.now(), ...columns }
    return phone.db
      .insertInto('sip_credentials')
      .values(row)
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute()
  }
  const change = (columns: object) =>
    phone.db.updateTable('users').set(columns).where('id', '=', customer.id).execute()
  let requests = 0
  const ask = async (user: string) => {
    const request = String(++requests)
    box.say({ type: 'credentials', request, user, at: 1 })
    await phone.waitUntil(() => box.all('credentials').some((message) => message.request === request))
    const { md5, sha256 } = box.all('credentials').find((message) => message.request === request) ?? {}
    return { md5, sha256 }
  }
  return { phone, box, customer, give, change, ask }
}

const nothing = { md5: null, sha256: null }

it('returns the hashes of its realm, and none for unknown users, other realms and disabled users', async () => {
  const { phone, box, customer, give, change, ask } = await setUp()
  await give('trunkline')
  await phone.startControl([box])
  expect(await ask(customer.username.toUpperCase())).toEqual({
    md5: HASHES.ha1_md5,
    sha256: HASHES.ha1_sha256,
  })
  expect(await ask('nobody')).toEqual(nothing)
  box.clearReceived()
  await give('elsewhere')
  await phone.waitUntil(() => box.all('forget').length > 0)
  expect(await ask(customer.username)).toEqual(nothing)
  box.clearReceived()
  await give('trunkline')
  await phone.waitUntil(() => box.all('forget').length > 0)
  box.clearReceived()
  await change({ disabled_at: phone.clock.now() })
  await phone.waitUntil(() => box.all('unregister').length > 0)
  expect(box.last('unregister')).toMatchObject({ user: customer.username })
  expect(await ask(customer.username)).toEqual(nothing)
})

it('sends forget immediately and once more when a password changes, and removes the phones, and nothing for other changes', async () => {
  const { phone, box, customer, give, change } = await setUp()
  await give('trunkline')
  await phone.startControl([box])
  expect(box.all('forget')).toEqual([{ type: 'forget', users: null }])
  box.clearReceived()
  await give('trunkline', { ...HASHES, ha1_md5: 'c'.repeat(32) })
  await phone.waitUntil(() => box.all('forget').length > 0)
  expect(box.all('unregister')).toEqual([{ type: 'unregister', user: customer.username }])
  await phone.tick()
  await phone.waitUntil(() => box.all('forget').length > 1)
  expect(box.all('forget')).toEqual([1, 2].map(() => ({ type: 'forget', users: [customer.username] })))
  box.clearReceived()
  await change({ is_premium: true })
  await change({ username: 'renamed' })
  await phone.waitUntil(() => box.all('unregister').length > 0)
  expect(box.all('unregister')).toEqual([{ type: 'unregister', user: customer.username }])
  expect(new Set(box.all('forget').flatMap(({ users }) => users))).toEqual(
    new Set([customer.username, 'renamed']),
  )
})

it('unregisters phones of accounts without valid credentials when a switch lists them', async () => {
  const { phone, box, customer, give } = await setUp()
  await give('trunkline')
  const disabled = await phone.newCustomer(usd(1), phone.routeId, { disabled_at: phone.clock.now() })
  await phone.startControl([box])
  expect(box.all('list_phones')).toHaveLength(1)
  const list = (...users: string[]) =>
    box.say({
      type: 'phones',
      at: phone.clock.now().getTime(),
      phones: users.map((user) => ({ user, contact: 'sip:a@b' })),
      last: true,
    })
  const others = ['browser~abc', 'carrier~acme', 'media~m1']
  list(customer.username.toUpperCase(), customer.username, disabled.username, 'gone', ...others)
  await phone.waitUntil(() => box.all('unregister').length > 1)
  expect(box.all('unregister').map(({ user }) => user)).toEqual([disabled.username, 'gone'])
})

it('unregisters phones that have registered with a replaced password when a switch lists them', async () => {
  const { phone, box, customer, give } = await setUp()
  await give('trunkline')
  const other = await phone.newCustomer(usd(1), phone.routeId)
  const row = { user_id: other.id, realm: 'trunkline', made_at: phone.clock.now() }
  await phone.db
    .insertInto('sip_credentials')
    .values({ ...row, ...HASHES })
    .execute()
  await phone.startControl([box])
  const list = (phones: { user: string; fingerprint?: string }[]) =>
    box.say({
      type: 'phones',
      at: phone.clock.now().getTime(),
      phones: phones.map((listed) => ({ ...listed, contact: 'sip:a@b' })),
      last: true,
    })
  const [old, ...current] = ['c'.repeat(32), HASHES.ha1_md5, HASHES.ha1_sha256].map(fingerprintOf)
  list([
    { user: other.username },
    ...current.map((fingerprint) => ({ user: other.username, fingerprint })),
    { user: customer.username, fingerprint: old },
  ])
  await phone.waitUntil(() => box.all('unregister').length > 0)
  expect(box.all('unregister')).toEqual([{ type: 'unregister', user: customer.username }])
})

it('asks for the phones and sends forget twice if a password changed in a gap of the notifications', async () => {
  const { phone, box, customer, give } = await setUp()
  await give('trunkline')
  await phone.startControl([box])
  box.clearReceived()
  // More changes than call control reads one by one.
  await phone.db.transaction().execute(async (trx) => {
    await sql`select pg_notify('call_control', 'user:' || n) from generate_series(1000001, 1000300) as n`.execute(
      trx,
    )
    await trx
      .updateTable('sip_credentials')
      .set({ ha1_md5: 'c'.repeat(32) })
      .where('user_id', '=', customer.id)
      .execute()
  })
  await phone.waitUntil(() => box.all('list_phones').length > 0)
  await phone.tick()
  await phone.waitUntil(() => box.last('forget')?.users !== null)
  expect(box.last('forget')).toEqual({ type: 'forget', users: [customer.username] })
})

it('sends trusted addresses with their account, and removes those that are no longer trusted', async () => {
  const { phone, box, customer, change } = await setUp()
  const { username } = customer
  const trust = (address: string, state: 'pending' | 'proven', userId = customer.id) =>
    phone.db
      .insertInto('trusted_addresses')
      .values({
        user_id: userId,
        address,
        state,
        added_at: phone.clock.now(),
        trusted_at: state === 'pending' ? null : phone.clock.now(),
      })
      .execute()
  const expectSent = async (message: object) => {
    await phone.waitUntil(() => box.all('addresses').length > 0)
    expect(box.all('addresses')).toEqual([{ type: 'addresses', clear: false, ...message }])
    box.clearReceived()
  }
  await trust('192.0.2.7', 'proven')
  await trust('192.0.2.9', 'pending')
  await phone.startControl([box])
  expect(box.last('addresses')).toEqual({
    type: 'addresses',
    clear: true,
    remove: [],
    add: [{ address: '192.0.2.7', user: username }],
  })
  box.clearReceived()
  await trust('2001:db8::7', 'proven')
  await expectSent({
    add: ['192.0.2.7', '2001:db8::7', '2001:db8:0:0:0:0:0:7'].map((address) => ({ address, user: username })),
    remove: [],
  })
  await phone.db.deleteFrom('trusted_addresses').where('address', '=', '192.0.2.7').execute()
  await expectSent({
    add: ['2001:db8::7', '2001:db8:0:0:0:0:0:7'].map((address) => ({ address, user: username })),
    remove: ['192.0.2.7'],
  })
  const other = await phone.newCustomer(usd(1), phone.routeId)
  await trust('2001:db8::7', 'proven', other.id)
  await expectSent({ add: [], remove: ['2001:db8::7', '2001:db8:0:0:0:0:0:7'] })
  await change({ disabled_at: phone.clock.now() })
  await expectSent({
    add: ['2001:db8::7', '2001:db8:0:0:0:0:0:7'].map((address) => ({ address, user: other.username })),
    remove: [],
  })
})

it('proves a claimed address only by a REGISTER or a call with the digest of its account', async () => {
  const { phone, box, customer } = await setUp()
  const other = await phone.newCustomer(usd(1), phone.routeId)
  const claims = ['198.51.100.1', '2001:db8::1', '198.51.100.3']
  for (const address of claims)
    await phone.db
      .insertInto('trusted_addresses')
      .values({ user_id: customer.id, address, added_at: phone.clock.now() })
      .execute()
  await phone.startControl([box])
  const states = async () =>
    (await phone.db.selectFrom('trusted_addresses').select('state').orderBy('id').execute()).map(
      ({ state }) => state,
    )
  let calls = 0
  const call = (who: object, address: string) => {
    const at = phone.clock.now().getTime()
    box.say({ type: 'authorize', call: `call-${++calls}`, at, address, to: '442079460123', ...who })
  }
  call({ claimed: customer.username }, '198.51.100.3')
  call({ user: other.username }, '198.51.100.3')
  call({ user: customer.username }, '198.51.100.4')
  call({ user: customer.username }, '2001:db8:0:0:0:0:0:1')
  await phone.waitUntil(async () => (await states()).includes('proven'))
  const at = phone.clock.now().getTime()
  box.say({
    type: 'registered',
    id: 'r1',
    at,
    user: customer.username,
    contact: 'sip:a@b',
    address: '198.51.100.1',
    device: '',
    expiresAt: at + 60_000,
  })
  await phone.waitUntil(async () => (await states())[0] === 'proven')
  expect(await states()).toEqual(['proven', 'proven', 'pending'])
  const alerts = await phone.db
    .selectFrom('alerts')
    .selectAll()
    .where('kind', '=', 'address_trusted')
    .execute()
  expect(alerts.map(({ user_id }) => user_id)).toEqual([customer.id, customer.id])
})

it("raises one alert for all addresses that guess a customer's password", async () => {
  const { phone, box, customer } = await setUp()
  await phone.startControl([box])
  for (const address of ['198.51.100.1', '198.51.100.2'])
    box.say({ type: 'banned', address, user: customer.username, at: 1 })
  const alerts = () => phone.db.selectFrom('alerts').selectAll().execute()
  await phone.waitUntil(async () => (await alerts())[0]?.times === 2)
  expect(await alerts()).toMatchObject([
    { kind: 'address_banned', user_id: customer.id, details: { address: '198.51.100.2' } },
  ])
})

it('lets a web phone call as its user until it expires, and ends its calls then', async () => {
  const { phone, box, customer } = await setUp()
  const name = 'browser~abc123'
  await phone.startControl([box, phone.switch])
  const request = 'browser'
  // Just created: call control may not have received the notification yet.
  await openBrowser(phone, customer, name, MINUTE)
  box.say({ type: 'credentials', request, user: name, at: 1 })
  await phone.waitUntil(() => box.all('credentials').length > 0)
  expect(box.last('credentials')).toMatchObject({ user: name, md5: HASHES.ha1_md5 })

  const lasting = await phone.place({ user: name })
  expect(lasting.record.decision).toBe('allowed')
  expect(await phone.liveRows()).toMatchObject([
    { user_id: customer.id, sip_account: name, device: 'Web phone' },
  ])
  box.clearReceived()
  await phone.db.deleteFrom('sessions').where('user_id', '=', customer.id).execute()
  await phone.waitUntil(() => box.all('forget').length > 0)
  expect(box.last('forget')).toEqual({ type: 'forget', users: [name] })
  await phone.tick()
  await phone.settle()
  expect(await phone.cdrOf(lasting.call)).toMatchObject({ reason: 'browser_gone', hung_up_by: 'control' })
  expect((await phone.place({ user: name })).record.reason).toBe('unknown_caller')
})
