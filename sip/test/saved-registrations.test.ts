import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { startCalledPhone } from './called-phone.ts'
import { hash } from './digest.ts'
import { alice, credentialsOf, harnessForFile, REALM } from './harness.ts'
import { bob, CARRIER, callOfCarrier, peerWithCarrier, phones, ringing } from './incoming-calls.ts'
import { killKamailio } from './kill-kamailio.ts'
import type { Peer } from './peer.ts'
import type { Account, Phone } from './phone.ts'
import { readSaved, untilSaved } from './saved.ts'

/** Registrations over UDP survive a kill of Kamailio. */
const harness = await harnessForFile({ workers: 4 })

const authorize = () => ringing([phones('alice')])

async function startPeer(): Promise<Peer> {
  const peer = await peerWithCarrier(harness, authorize)
  await untilSavedAre()
  return peer
}

const untilSavedAre = (...users: string[]) =>
  untilSaved(harness.runFolder, users.join() || 'no phone', (saved) => saved.phones.join() === users.join())

/** Kills Kamailio and connects a call control, which leaves the registrations alone. */
async function restart(before: Peer): Promise<Peer> {
  await before.close()
  await killKamailio(harness.running)
  const peer = await harness.peer({ authorize, credentials: credentialsOf(alice, bob) })
  peer.send({ type: 'sources', clear: true, add: [CARRIER] })
  await peer.processed()
  return peer
}

async function listed(peer: Peer): Promise<string[]> {
  peer.send({ type: 'list_phones' })
  await peer.processed()
  return peer.all('phones').flatMap(({ phones }) => phones.map(({ user }) => user))
}

function changeSaved(statement: string): void {
  const database = new DatabaseSync(join(harness.runFolder, 'switch.db'), { timeout: 3_000 })
  database.exec(statement)
  database.close()
}

it('a phone behind NAT rings after the kill, and its next refresh is no news', async () => {
  const before = await startPeer()
  const { register, invites, answer } = await startCalledPhone(harness, alice, { claims: '192.0.2.10:5060' })
  await register()
  await untilSavedAre('alice')
  const peer = await restart(before)
  const { call } = await callOfCarrier(harness)
  await answer()
  expect((await call.ended).status).toBe(200)
  expect(invites()[0]?.uri).toContain('192.0.2.10:5060')
  await call.hangUp()
  await register()
  await peer.processed()
  expect(peer.all('registered')).toEqual([])
  expect(await listed(peer)).toEqual(['alice'])
})

it('a changed port is saved without an event, and a refresh is not written', async () => {
  const before = await startPeer()
  const claims = '192.0.2.10:5060'
  const first = await startCalledPhone(harness, alice, { claims })
  await first.register()
  await untilSavedAre('alice')
  changeSaved("update registration set ruid = 'unchanged'")
  await first.register()
  await before.processed()
  expect(savedRuids()).toEqual(['unchanged'])
  const second = await startCalledPhone(harness, alice, { claims })
  await second.register()
  await untilSaved(harness.runFolder, 'the new port', () => savedRuids()[0] !== 'unchanged')
  await before.processed()
  expect(before.all('registered')).toHaveLength(1)
  await restart(before)
  const { call } = await callOfCarrier(harness)
  await second.answer()
  expect((await call.ended).status).toBe(200)
  expect(first.invites()).toEqual([])
  await call.hangUp()
})

function savedRuids(): string[] {
  const database = new DatabaseSync(join(harness.runFolder, 'switch.db'), { readOnly: true })
  const rows = database.prepare('select cast(ruid as text) as ruid from registration').all()
  database.close()
  return rows.map(({ ruid }) => String(ruid))
}

it.each([
  ['its contact', (phone: Phone) => phone.register(0)],
  ['all contacts', (phone: Phone) => phone.registerAs('*', 0)],
])('a phone that unregisters %s is deleted', async (_what, unregister) => {
  const before = await startPeer()
  const phone = await harness.phone({ account: alice })
  await phone.register()
  await untilSavedAre('alice')
  expect((await unregister(phone)).status).toBe(200)
  await untilSavedAre()
  expect(await listed(await restart(before))).toEqual([])
})

it('a contact that moves to TCP is deleted', async () => {
  await startPeer()
  const udp = await harness.phone({ account: alice })
  const contact = `<sip:alice@192.0.2.10:5060>`
  await udp.registerAs(contact, 300)
  await untilSavedAre('alice')
  const tcp = await harness.phone({ account: alice, transport: 'tcp' })
  expect((await tcp.registerAs(contact, 300)).status).toBe(200)
  await untilSavedAre()
})

it('after the kill the list has the contacts as they were reported, and none of a lost connection', async () => {
  const before = await startPeer()
  await (await harness.phone({ account: alice })).register()
  await (await harness.phone({ account: bob, transport: 'tcp' })).register()
  await before.next('registered', ({ user }) => user === 'bob')
  await untilSavedAre('alice')
  const reported = before.all('registered').map(({ user, contact }) => ({ user, contact }))
  before.send({ type: 'list_phones' })
  const byUser = (one: { user: string }, other: { user: string }) => one.user.localeCompare(other.user)
  const [{ phones: known = [], last } = {}] = [await before.next('phones')]
  expect(last).toBe(true)
  expect(known.map(({ user, contact }) => ({ user, contact })).sort(byUser)).toEqual(reported.sort(byUser))
  const peer = await restart(before)
  peer.send({ type: 'list_phones' })
  expect(await peer.next('phones')).toMatchObject({
    phones: reported.filter(({ user }) => user === 'alice'),
    last: true,
  })
})

it('the list tells with which password each phone has registered, also after the kill', async () => {
  const peer = await startPeer()
  const phone = await harness.phone({ account: alice })
  await phone.register()
  await untilSavedAre('alice')
  const listedBy = async (one: Peer) => {
    one.send({ type: 'list_phones' })
    return (await one.next('phones')).phones.map(({ fingerprint }) => fingerprint)
  }
  const fingerprintOf = ({ user, password }: Account) =>
    hash('SHA-256', hash('MD5', `${user}:${REALM}:${password}`)).slice(0, 8)
  expect(await listedBy(peer)).toEqual([fingerprintOf(alice)])
  const restarted = await restart(peer)
  expect(await listedBy(restarted)).toEqual([fingerprintOf(alice)])
  await restarted.close()
  const rotated = { ...alice, password: 'a new one' }
  const last = await harness.peer({ credentials: credentialsOf(rotated) })
  last.send({ type: 'forget', users: null })
  await last.processed()
  const contact = `<sip:alice@${phone.line.host}:${phone.line.port};transport=udp>`
  const owner = await harness.phone({ account: rotated })
  expect((await owner.registerAs(contact, 300)).status).toBe(200)
  await last.next('registered')
  expect(await listedBy(last)).toEqual([fingerprintOf(rotated)])
  last.send({ type: 'forget', users: null })
  await last.processed()
})

it('an account that call control unregisters is deleted, and others stay', async () => {
  const before = await startPeer()
  for (const account of [alice, bob]) await (await harness.phone({ account })).register()
  await untilSavedAre('alice', 'bob')
  before.send({ type: 'unregister', user: 'alice' })
  await untilSavedAre('bob')
  expect(await listed(await restart(before))).toEqual(['bob'])
})

it.each([
  ['with its instance', '', ';+sip.instance="<urn:uuid:1>"'],
  ['and removes the old one in the same REGISTER', ', <sip:alice@192.0.2.10>;expires=0', ''],
  ['and removes the old one in another header', '\r\nContact: <sip:alice@192.0.2.10>;expires=0', ''],
])(
  'a phone that registers another contact %s rings only there after the kill',
  async (_how, removed, instance) => {
    const before = await startPeer()
    const first = await startCalledPhone(harness, alice)
    await first.phone.registerAs(`<sip:alice@192.0.2.10>${instance}`, 300)
    await untilSavedAre('alice')
    const second = await startCalledPhone(harness, alice)
    const answer = await second.phone.registerAs(`<sip:alice@192.0.2.11>${instance}${removed}`, 300)
    expect(answer.status).toBe(200)
    await before.next('unregistered', ({ contact }) => contact === 'sip:alice@192.0.2.10', 5_000)
    await before.next('registered', ({ contact }) => contact === 'sip:alice@192.0.2.11')
    await untilSavedAre('alice')
    expect(await listed(await restart(before))).toEqual(['alice'])
    const { call } = await callOfCarrier(harness)
    await second.answer()
    expect((await call.ended).status).toBe(200)
    expect(first.invites()).toEqual([])
    await call.hangUp()
  },
)

it('a registration that has expired is not restored', async () => {
  const before = await startPeer()
  await (await harness.phone({ account: alice })).register()
  await untilSavedAre('alice')
  changeSaved("update registration set expires_by = cast(strftime('%s', 'now') as integer)")
  const peer = await restart(before)
  expect(await listed(peer)).toEqual([])
  await untilSavedAre()
  const { call } = await callOfCarrier(harness)
  expect((await call.ended).status).toBe(480)
})

it('awkward text of a phone is restored as it was', async () => {
  const before = await startPeer()
  const phone = await harness.phone({ account: alice })
  const contact = `"O'Neill; drop" <sip:alice@${phone.line.host}:${phone.line.port};x=a'b%22>;+sip.instance="<urn:uuid:'1'>"`
  expect((await phone.registerAs(contact, 300, `Phone "1" 'x' \\ é`)).status).toBe(200)
  await untilSavedAre('alice')
  const peer = await restart(before)
  expect((await phone.registerAs(contact, 300, `Phone "1" 'x' \\ é`)).status).toBe(200)
  await peer.processed()
  expect(peer.all('registered')).toEqual([])
  expect(readSaved(harness.runFolder).phones).toEqual(['alice'])
  const { call } = await callOfCarrier(harness)
  await expect.poll(() => phone.messages.some(({ method }) => method === 'INVITE')).toBe(true)
  await call.cancel()
})
