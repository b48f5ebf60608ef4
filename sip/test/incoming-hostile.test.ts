import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { headerOf } from '../../sandbox/carriers/sip-message.ts'
import { bystanderForFile } from './bystander.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, harnessForFile } from './harness.ts'
import { bob, callOfCarrier, NUMBER, peerWithCarrier, phones, ringing } from './incoming-calls.ts'
import type { Forged } from './phone.ts'

/** A hostile phone is called. It must not end the call for us while the carrier's leg continues, nor reach third parties. */
const bystander = await bystanderForFile()
const harness = await harnessForFile({ workers: 4 })

const evil = () => `sip:victim@${bystander.host}:${bystander.port}`

async function answeredCall(given: Parameters<typeof startCalledPhone>[2] = {}) {
  const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
  const phone = await startCalledPhone(harness, alice, { habit: 'answers', ...given })
  await phone.register()
  const { call, carrier } = await callOfCarrier(harness)
  expect((await call.ended).status).toBe(200)
  await peer.next('answered')
  await phone.gets('ACK')
  return { peer, phone, call, carrier }
}

type Called = Awaited<ReturnType<typeof answeredCall>>['phone']
/** From and To as the carrier would send them. */
const asCaller = async (phone: Called): Promise<Forged> => {
  const { from, to } = await phone.names()
  return { From: from, To: to }
}

describe('a BYE of the called phone ends the call at the carrier too', () => {
  it.each<[string, (phone: Called) => Promise<Forged>]>([
    ['to a foreign Request-URI', async () => ({ uri: evil() })],
    ['with a foreign Route', async () => ({ routes: [`<${evil()};lr>`] })],
    ['with a foreign Contact', async () => ({ Contact: `<${evil()}>` })],
    ['that poses as the carrier', asCaller],
    ['that poses as the carrier, to itself', async (phone) => ({ ...(await asCaller(phone)), uri: evil() })],
    ['with the maximum CSeq', async () => ({ cseq: 4_294_967_295 })],
  ])('%s', async (_what, forged) => {
    const { peer, phone, call } = await answeredCall()
    await phone.request('BYE', await forged(phone))
    await call.isHungUp()
    await peer.next('ended')
    await pause(100)
    // A busy machine retransmits.
    expect(new Set(call.requests('BYE').map((bye) => headerOf(bye, 'via'))).size).toBe(1)
    expect(peer.all('ended')).toHaveLength(1)
  })

  it('stays live until the carrier confirms', async () => {
    const { peer, phone, carrier } = await answeredCall()
    carrier.line.close()
    await phone.hangUp()
    await eventually(() => phone.repliesTo('BYE').length > 0, '200 to the BYE')
    await pause(1_000)
    expect(peer.all('ended')).toEqual([])
    peer.send({ type: 'list', request: 'live' })
    expect((await peer.next('live', ({ request }) => request === 'live')).calls).toHaveLength(1)
    await peer.next('unreleased', undefined, 25_000)
    expect(await peer.next('ended', undefined, 40_000)).toMatchObject({ by: 'callee' })
  })
})

describe('in-dialog requests of the called phone', () => {
  const methods = ['INFO', 'OPTIONS', 'NOTIFY', 'UPDATE', 'INVITE', 'MESSAGE', 'REFER', 'SUBSCRIBE']

  it('reach only the carrier, and cannot move the target of later requests', async () => {
    const { peer, phone, call } = await answeredCall()
    const ways: Forged[] = [
      { uri: evil() },
      { uri: `${evil()};transport=tcp` },
      { routes: [`<${evil()};lr>`] },
      { Contact: `<${evil()}>` },
      { ...(await asCaller(phone)), Contact: `<${evil()}>` },
      { ...(await asCaller(phone)), uri: evil(), Contact: `<${evil()}>` },
    ]
    for (const method of methods) for (const forged of ways) await phone.request(method, forged)
    await eventually(() => call.requests('INFO').length > 0, 'INFO with a valid target')
    expect(call.requests('REFER')).toEqual([])
    await call.hangUp()
    await phone.gets('BYE')
    expect(await peer.next('ended')).toMatchObject({ by: 'caller' })
  })
})

describe('requests to the called phone go to its source address', () => {
  it('whatever the Contact of its answer says', async () => {
    const { phone, call } = await answeredCall({ contact: evil() })
    expect((await call.request('INFO')).status).toBe(200)
    await call.hangUp()
    const bye = await phone.gets('BYE')
    expect(headerOf(bye, 'cseq')).toContain('BYE')
  })

  it('whatever Contact it has registered', async () => {
    const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice, {
      habit: 'answers',
      claims: `${bystander.host}:${bystander.port}`,
    })
    await phone.register()
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(200)
    expect((await phone.rung()).uri).toContain(bystander.host)
    await call.hangUp()
    await phone.gets('BYE')
    await peer.next('ended')
  })
})

it('a BYE from another address of the carrier ends the call, and the carrier gets ours too', async () => {
  const { peer, phone, call } = await answeredCall()
  const other = await harness.phone({ from: '127.0.0.35' })
  const { from, to, target, routes } = call.names()
  await other.ask(
    'BYE',
    target,
    [
      ...routes.map((value): [string, string] => ['Route', value]),
      ['From', from],
      ['To', to],
      ['Call-ID', call.callId],
      ['Max-Forwards', '70'],
    ],
    '',
    call.callId,
  )
  await phone.gets('BYE')
  await call.isHungUp()
  expect(await peer.next('ended')).toMatchObject({ by: 'caller' })
})

describe('a called phone that poses as a calling customer', () => {
  async function callBetweenCustomers() {
    const peer = await peerWithCarrier(harness, ({ parent }) =>
      parent
        ? ringing([phones('bob')])
        : ringing([{ id: -1, seconds: 60, next: { direction: 'in', to: NUMBER } }]),
    )
    const caller = await harness.phone({ account: alice, from: '127.0.0.36' })
    const phone = await startCalledPhone(harness, bob, { habit: 'answers', from: '127.0.0.37' })
    await phone.register()
    const call = await caller.call(NUMBER)
    expect((await call.ended).status).toBe(200)
    await phone.gets('ACK')
    return { peer, phone, call }
  }

  it('cannot end the call without a BYE to the caller', async () => {
    const { peer, phone, call } = await callBetweenCustomers()
    await phone.request('BYE', await asCaller(phone))
    await call.isHungUp()
    await phone.gets('BYE')
    await peer.next('ended')
  })

  it('cannot redirect the requests for the caller to itself', async () => {
    const { peer, phone, call } = await callBetweenCustomers()
    await phone.request('INVITE', { ...(await asCaller(phone)), Contact: `<${evil()}>` })
    await eventually(() => phone.repliesTo('INVITE').some(({ status }) => status === 481), '481')
    await phone.hangUp()
    await call.isHungUp()
    await peer.next('ended')
  })
})
