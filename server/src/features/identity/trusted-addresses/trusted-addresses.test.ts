import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createPortal, type Portal, prove, type SignedIn, signUp } from '../../../../test/portal.ts'
import { DAY, earlier, HOUR, later, MINUTE } from '../../../platform/clock.ts'

const me = async (portal: Portal, { token }: SignedIn) =>
  (await portal.call('GET /api/auth/me', { token })).answer.user
const setHost = (portal: Portal, { token }: SignedIn, host: string) =>
  portal.call('POST /api/user/host', { token, body: { host } })
const claim = (portal: Portal, { token }: SignedIn, address: string) =>
  portal.call('POST /api/user/addresses', { token, body: { address } })
const approve = (portal: Portal, { token }: SignedIn, user: SignedIn, address: string, note?: string) =>
  portal.call('POST /api/admin/users/:id/addresses', {
    token,
    params: { id: user.id },
    body: { address, note },
  })
const listOf = async (portal: Portal, { token }: SignedIn) => {
  const { answer } = await portal.call('GET /api/user/addresses', { token })
  return answer.addresses.map(({ address, state }) => [address, state])
}

/** Writes a registration like a switch report. */
const register = (portal: Portal, { id }: SignedIn, address: string, expiresAt?: Date) => {
  const now = portal.clock.now()
  return portal.services.db
    .insertInto('registrations')
    .values({
      switch_id: 'edge-1',
      user_id: id,
      contact: `sip:phone@${address}`,
      address,
      device: '',
      registered_at: earlier(now, HOUR),
      expires_at: expiresAt ?? later(now, MINUTE),
    })
    .execute()
}

describe('the host of a customer', () => {
  it('is dynamic, an address or a name, in canonical form', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    for (const [host = '', kept, addresses] of [
      [' PBX.Example.COM ', 'pbx.example.com', []],
      ['20.40.60.7', '20.40.60.7', [['20.40.60.7', 'pending']]],
      ['2600:DB8:0:0::1', '2600:db8::1', [['2600:db8::1', 'pending']]],
      ['::ffff:20.40.60.8', '20.40.60.8', [['20.40.60.8', 'pending']]],
      ['::ffff:1428:3c09', '20.40.60.9', [['20.40.60.9', 'pending']]],
      ['Dynamic', 'dynamic', []],
    ] as [string, string, string[][]][]) {
      const { status, answer } = await setHost(portal, alice, host)
      expect({ host, status, answer }).toMatchObject({
        status: 200,
        answer: { host: kept, message: 'Host updated in SIP successfully!' },
      })
      expect((await me(portal, alice)).host).toBe(kept)
      expect(await listOf(portal, alice)).toEqual(addresses)
    }
  })

  it('is refused if it is too short or invalid', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    for (const [host = '', words] of [
      ['ab', 'Host must be at least 3 characters'],
      ['', 'Host must be at least 3 characters'],
      ['256.1.1.1', 'Please enter "dynamic", an IP address or a hostname.'],
      ['0.0.0.0', 'Please enter "dynamic", an IP address or a hostname.'],
      ['224.0.0.1', 'Please enter "dynamic", an IP address or a hostname.'],
      ['-bad-.example', 'Please enter "dynamic", an IP address or a hostname.'],
      ['a b.example', 'Please enter "dynamic", an IP address or a hostname.'],
      ['2001:db8::g', 'Please enter "dynamic", an IP address or a hostname.'],
    ])
      expect(await setHost(portal, alice, host)).toMatchObject({ status: 400, message: words })
    expect((await me(portal, alice)).host).toBe('dynamic')
  })

  it('can be claimed by several accounts without affecting the others', async () => {
    const portal = await createPortal()
    const people = [await signUp(portal, 'alice'), await signUp(portal, 'bob'), await signUp(portal, 'carol')]
    const answers = await Promise.all(people.map((person) => setHost(portal, person, '2600:db8::1')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const person of people) expect(await listOf(portal, person)).toEqual([['2600:db8::1', 'pending']])
  })
})

describe('customers cannot claim an address', () => {
  const special = [
    '10.0.0.1',
    '127.0.0.5',
    '169.254.1.1',
    '172.20.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '::1',
    'fe80::1',
    'fc00::1',
    '2001:db8::1',
    '2001::1',
    '2002:a00:1::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
  ]
  it.each(special)('of a reserved range: %s', async (address) => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    for (const ask of [setHost, claim])
      expect(await ask(portal, alice, address)).toMatchObject({ status: 400, code: 'address_refused' })
    expect(await listOf(portal, alice)).toEqual([])
    expect((await me(portal, alice)).host).toBe('dynamic')
  })

  it('of the portal, a switch, this machine, a carrier or the website IP', async () => {
    const portal = await createPortal({
      PUBLIC_URL: 'https://20.0.0.1',
      SWITCHES: '20.0.0.2:7000,[2600::2]:7000',
      SIP_HOST: '20.0.0.3, 20.0.0.4',
      SIP_ADVERTISE: '20.0.0.5',
    })
    const alice = await signUp(portal, 'alice')
    const root = await signUp(portal, 'root', { isAdmin: true })
    const now = portal.clock.now()
    await portal.services.db
      .insertInto('trunks')
      .values([
        { name: 'By address', host: '20.0.0.6', created_at: now, updated_at: now },
        { name: 'By name', host: 'localhost', created_at: now, updated_at: now },
      ])
      .execute()
    const setIp = (body: object) => portal.call('POST /api/admin/websiteip', { token: root.token, body })
    await setIp({ websiteip: '20.0.0.7' })
    await setIp({ websiteip: '20.0.0.8', user_id: alice.id })
    const seen = { software: 'test', started_at: now, last_seen_at: now }
    await portal.services.db
      .insertInto('switches')
      .values([
        { ...seen, switch_id: 'behind-a-tunnel', sip_address: '20.0.0.9:5060' },
        { ...seen, switch_id: 'on-ipv6', sip_address: '[2600::3]:5060' },
        { ...seen, switch_id: 'removed', sip_address: '20.0.0.10:5060', last_seen_at: earlier(now, 8 * DAY) },
      ])
      .execute()
    const ours = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((last) => `20.0.0.${last}`).concat('2600::2', '2600::3')
    for (const address of ours) {
      expect(await claim(portal, alice, address)).toMatchObject({ status: 400, code: 'address_refused' })
      expect(await approve(portal, root, alice, address)).toMatchObject({
        status: 400,
        code: 'address_refused',
      })
    }
    const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
    expect(own.length).toBeGreaterThan(0)
    for (const address of own)
      expect((await approve(portal, root, alice, address)).code).toBe('address_refused')
    expect(await listOf(portal, alice)).toEqual([])
    // A switch that is gone for a week may have lost its address to somebody else.
    expect((await claim(portal, alice, '20.0.0.10')).status).toBe(200)
  })
})

describe('several addresses', () => {
  it('are added and removed one by one and include the host', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    expect(await claim(portal, alice, '20.40.60.1')).toMatchObject({
      status: 200,
      message: 'Address added. To verify it, register or call from it once with your SIP password.',
    })
    expect((await me(portal, alice)).host).toBe('20.40.60.1')
    const { answer } = await claim(portal, alice, '20.40.60.2')
    expect((await me(portal, alice)).host).toBe('20.40.60.1')
    await setHost(portal, alice, '20.40.60.3')
    expect(await listOf(portal, alice)).toEqual([
      ['20.40.60.2', 'pending'],
      ['20.40.60.3', 'pending'],
    ])
    const second = answer.addresses.find(({ address }) => address === '20.40.60.2')?.id ?? 0
    const remove = (id: number, { token }: SignedIn) =>
      portal.call('DELETE /api/user/addresses/:id', { token, params: { id } })
    const stranger = await signUp(portal, 'stranger')
    expect((await remove(second, stranger)).status).toBe(404)
    expect((await remove(second, alice)).status).toBe(200)
    expect((await remove(second, alice)).status).toBe(404)
    const { answer: left } = await portal.call('GET /api/user/addresses', { token: alice.token })
    expect((await remove(left.addresses[0]?.id ?? 0, alice)).answer.addresses).toEqual([])
    expect((await me(portal, alice)).host).toBe('dynamic')
  })

  it('are limited to twenty', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    for (let last = 1; last <= 20; last++)
      expect((await claim(portal, alice, `20.40.60.${last}`)).status).toBe(200)
    expect(await claim(portal, alice, '20.40.60.21')).toMatchObject({
      status: 409,
      code: 'too_many_addresses',
    })
    expect(await listOf(portal, alice)).toHaveLength(20)
  })

  it('have a rate limit', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    for (let tries = 0; tries < 30; tries++) await claim(portal, alice, '10.0.0.1')
    expect((await claim(portal, alice, '10.0.0.1')).status).toBe(429)
    portal.clock.advance(HOUR)
    await prove(portal, alice)
    expect((await claim(portal, alice, '10.0.0.1')).status).toBe(400)
  })
})

describe('a claim', () => {
  it('is proven immediately if a phone of the account is registered from there', async () => {
    const portal = await createPortal()
    const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
    await register(portal, alice, '2600:0:0:0:0:0:0:7')
    await register(portal, alice, '20.40.60.8', earlier(portal.clock.now(), MINUTE))
    await setHost(portal, alice, '2600::7')
    await claim(portal, alice, '20.40.60.8')
    await claim(portal, bob, '2600::7')
    expect(await listOf(portal, alice)).toEqual([
      ['2600::7', 'proven'],
      ['20.40.60.8', 'pending'],
    ])
    expect(await listOf(portal, bob)).toEqual([['2600::7', 'pending']])
    const { answer } = await portal.call('GET /api/alerts', { token: alice.token })
    expect(answer.alerts).toMatchObject([
      { kind: 'address_trusted', message: 'Calls from 2600::7 no longer need the SIP password.' },
    ])
  })

  it('shows if another account has proven the same address', async () => {
    const portal = await createPortal()
    const people = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
    for (const person of people) {
      await register(portal, person, '20.40.60.7')
      await claim(portal, person, '20.40.60.7')
    }
    for (const { token } of people)
      expect((await portal.call('GET /api/user/addresses', { token })).answer.addresses).toMatchObject([
        { state: 'proven', is_shared: true },
      ])
  })
})

describe('an administrator', () => {
  it('approves an address for one account, even a private one, and revokes it', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'root', { isAdmin: true })
    const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
    await claim(portal, alice, '20.40.60.7')
    expect(await approve(portal, root, alice, '20.40.60.7', 'Seen on the contract')).toMatchObject({
      status: 200,
      message: 'Address trusted.',
    })
    expect((await approve(portal, root, alice, '10.1.2.3')).status).toBe(200)
    expect(await approve(portal, root, bob, '10.1.2.3')).toMatchObject({ status: 409, code: 'host_taken' })
    expect((await approve(portal, root, { ...bob, id: 999_999 }, '10.1.2.4')).status).toBe(404)
    const { answer } = await portal.call('GET /api/admin/users/:id/addresses', {
      token: root.token,
      params: { id: alice.id },
    })
    expect(answer.addresses).toMatchObject([
      { address: '20.40.60.7', state: 'approved' },
      { address: '10.1.2.3', state: 'approved' },
    ])
    const revoke = () =>
      portal.call('DELETE /api/admin/addresses/:id', {
        token: root.token,
        params: { id: answer.addresses[0]?.id ?? 0 },
      })
    expect((await revoke()).status).toBe(200)
    expect((await revoke()).status).toBe(404)
    expect(await listOf(portal, alice)).toEqual([['10.1.2.3', 'approved']])
    expect((await me(portal, alice)).host).toBe('dynamic')
    expect(await auditOf(portal, root, 'address.approve')).toMatchObject([
      { before: null, after: { address: '10.1.2.3', state: 'approved' } },
      {
        user: { id: alice.id },
        reason: 'Seen on the contract',
        before: { state: 'pending' },
        after: { address: '20.40.60.7', state: 'approved' },
      },
    ])
    expect(await auditOf(portal, root, 'address.revoke')).toMatchObject([
      { user: { id: alice.id }, before: { address: '20.40.60.7', state: 'approved' }, after: null },
    ])
  })

  it('approves an address by setting it as host of a user', async () => {
    const portal = await createPortal()
    const root = await signUp(portal, 'root', { isAdmin: true })
    const [alice, bob] = [await signUp(portal, 'alice'), await signUp(portal, 'bob')]
    const update = (id: number, host: string) =>
      portal.call('PATCH /api/admin/user/update', { token: root.token, body: { id, host } })
    await setHost(portal, alice, '20.40.60.7')
    expect((await update(alice.id, '10.1.2.3')).answer.user.host).toBe('10.1.2.3')
    expect(await listOf(portal, alice)).toEqual([['10.1.2.3', 'approved']])
    const taken = await update(bob.id, '10.1.2.3')
    expect(taken).toMatchObject({ status: 409, code: 'host_taken' })
    expect(taken.answer).toMatchObject({ error: { fields: [{ field: 'host' }] } })
    expect((await me(portal, bob)).host).toBe('dynamic')
    // A repeat changes nothing and keeps the approval.
    expect((await update(alice.id, '10.1.2.3')).status).toBe(200)
    await update(alice.id, 'dynamic')
    expect(await listOf(portal, alice)).toEqual([])
  })
})
