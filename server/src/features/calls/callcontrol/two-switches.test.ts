import { system } from '@trunkline/domain/access'
import { expect, it } from 'vitest'
import { createIncomingProvider, rentNumber, startLegSwitch } from '../../../../test/incoming.ts'
import { usd } from '../../../../test/telephony.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { listLiveCalls } from '../live-calls/store.ts'

const NUMBER = '442079460100'
const STRANGER = { code: 403, reason: 'unknown_caller' }

/** A customer whose phone is registered at the second switch. */
async function createTwoSwitches() {
  const provider = await createIncomingProvider()
  const { phone, box } = provider
  const other = await startLegSwitch(phone, 'other', '192.0.2.8:5060')
  const owner = await phone.newCustomer(usd(1), phone.routeId)
  await rentNumber(phone, owner, NUMBER)
  const start = async () => {
    const control = await phone.startControl([box, other])
    await Promise.all([box.connected(), other.connected()])
    await phone.settle()
    return control
  }
  await start()
  const register = () =>
    other.emit({
      type: 'registered',
      at: phone.switchClock.now(),
      user: owner.username,
      contact: 'sip:phone@198.51.100.1',
      address: '198.51.100.1',
      device: '',
      expiresAt: phone.switchClock.now() + 10 * MINUTE,
    })
  /** The address of the other switch in the plan of a call. */
  const uriOf = (allow: { plan?: { phones?: string[] }[] }) =>
    allow.plan?.[0]?.phones?.find((entry) => entry.startsWith('sip:'))
  const legOf = (uri: string | undefined) => ({
    direction: 'in' as const,
    to: uri?.slice('sip:'.length).split('@')[0] ?? '',
    address: '127.0.0.1',
  })
  return { ...provider, other, owner, start, register, uriOf, legOf }
}

it('rings phones at another switch with a free leg that nobody sees, and charges the call once', async () => {
  const { phone, box, other, owner, register, uriOf, legOf } = await createTwoSwitches()
  expect(uriOf(await box.incoming(NUMBER))).toBeUndefined()
  await register()
  const allow = await box.incoming(NUMBER)
  const uri = uriOf(allow)
  expect(uri).toMatch(/^sip:leg~peer~[A-Za-z0-9~._-]+@192\.0\.2\.8:5060$/)
  const leg = await other.allowed(legOf(uri))
  expect(leg).toMatchObject({ number: NUMBER, callerId: allow.callerId, trunks: [] })
  // Never back to the first switch.
  expect(leg.plan).toMatchObject([{ phones: [owner.username] }])
  await other.answer(leg.call, -1)
  await box.answer(allow.call, -1)
  const live = await listLiveCalls(phone.db, system('test'))
  expect(live.map(({ callId }) => callId)).not.toContain(`other/${leg.call}`)
  expect(live.map(({ callId }) => callId)).toContain(`legs/${allow.call}`)
  const answeredAt = phone.switchClock.now()
  await phone.advance(10)
  const ended = { at: answeredAt + 10 * SECOND, answeredAt, trunk: -1, by: 'caller' as const, attempts: [] }
  await other.emit({ type: 'ended', call: leg.call, ...ended })
  await box.emit({ type: 'ended', call: allow.call, ...ended })
  const records = await phone.cdrs()
  expect(records).toMatchObject([{ call_id: `legs/${allow.call}`, seconds: 10, cost_micros: 2_000n }])
  expect(await phone.faults()).toEqual([])
})

it('knows the phones after a restart of call control, and forgets those that are gone', async () => {
  const { phone, box, other, owner, start, register, uriOf } = await createTwoSwitches()
  await register()
  for (const control of [...phone.controls]) await control.close()
  await start()
  await phone.waitUntil(async () => {
    const allow = await box.incoming(NUMBER)
    const at = phone.switchClock.now()
    await box.emit({ type: 'failed', call: allow.call, at, code: 487, by: 'caller', attempts: [] })
    return uriOf(allow) !== undefined
  })
  const contact = 'sip:phone@198.51.100.1'
  await other.emit({ type: 'unregistered', at: phone.switchClock.now(), user: owner.username, contact })
  expect(uriOf(await box.incoming(NUMBER))).toBeUndefined()
})

it('forgets the phones that a switch no longer lists, but not those that register meanwhile', async () => {
  const { phone, box, other, owner, register, uriOf } = await createTwoSwitches()
  const contact = 'sip:phone@198.51.100.1'
  const listed = { user: owner.username.toUpperCase(), contact }
  const list = async (phones: (typeof listed)[], last = true) => {
    other.say({ type: 'phones', at: phone.switchClock.now(), phones, last })
    await phone.settle()
  }
  const contacts = async () =>
    (await phone.db.selectFrom('registrations').select('contact').execute()).map((row) => row.contact)
  const ringsThere = async () => {
    const allow = await box.incoming(NUMBER)
    const at = phone.switchClock.now()
    await box.emit({ type: 'failed', call: allow.call, at, code: 487, by: 'caller', attempts: [] })
    return uriOf(allow) !== undefined
  }
  await register()
  await list([])
  expect(await contacts()).toEqual([contact])
  await phone.advance(2)
  box.say({ type: 'phones', at: phone.switchClock.now(), phones: [], last: true })
  await list([listed], false)
  await list([{ ...listed, contact: 'sip:another' }])
  expect(await contacts()).toEqual([contact])
  expect(await ringsThere()).toBe(true)
  await list([{ ...listed, user: 'somebody-else' }])
  await phone.waitUntil(async () => (await contacts()).length === 0)
  await phone.settle()
  expect(await ringsThere()).toBe(false)
})

it('refuses forged, old and repeated addresses and those of ended calls, without a record', async () => {
  const { phone, box, other, register, uriOf, legOf } = await createTwoSwitches()
  await register()
  const first = await box.incoming(NUMBER)
  const asked = legOf(uriOf(first))
  expect(await other.refused({ ...asked, to: asked.to.replace('~p~', '~a~') })).toMatchObject(STRANGER)
  expect(await other.refused({ ...asked, to: 'leg~peer~1' })).toMatchObject(STRANGER)
  // The switch of the call itself.
  expect(await box.refused(asked)).toMatchObject(STRANGER)
  await other.allowed(asked)
  expect(await other.refused(asked)).toMatchObject(STRANGER)

  const second = await box.incoming(NUMBER)
  await box.fail(second.call, 487, 'caller')
  expect(await other.refused(legOf(uriOf(second)))).toMatchObject(STRANGER)

  const third = await box.incoming(NUMBER)
  await phone.advance(31)
  expect(await other.refused(legOf(uriOf(third)))).toMatchObject(STRANGER)
  expect((await phone.cdrs()).map(({ call_id }) => call_id)).toEqual([`legs/${second.call}`])
})
