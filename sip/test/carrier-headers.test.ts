import { describe, expect, it } from 'vitest'
import { headerOf, headersOf, type SipMessage, uriOf } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { alice, allow, CALLER_ID, credentialsOf, harnessForFile } from './harness.ts'
import type { Phone } from './phone.ts'

/** A phone that writes headers of its own, against a carrier that logs every request. */
const harness = await harnessForFile({ workers: 4 })

it('the carrier gets only headers that the switch composes', async () => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
  await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const phone = await harness.phone({ account: alice })
  const secrets: [string, string][] = [
    'Replaces: secret;to-tag=1;from-tag=2',
    'Join: secret;to-tag=1;from-tag=2',
    'Refer-To: <sip:secret@example.com>',
    'Resource-Priority: secret.0',
    'User-to-User: secret',
    'Subject: secret',
    'Priority: secret',
    'Reason: secret',
    'Alert-Info: <http://secret.example>',
    'Geolocation: <sip:secret@example.com>',
    'Date: secret',
    'Supported: secret',
    'Accept-Contact: *;secret',
    'Route: <sip:127.0.0.1;lr>',
    'To: "secret" <sip:secret@secret.example>',
    `Contact: "secret" <sip:alice@127.0.0.1:${phone.line.port}>;secret=1`,
  ].map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
  const call = await phone.call('442071234567', secrets)
  expect((await call.ended).status).toBe(200)
  await eventually(() => carrier.requests.some(({ method }) => method === 'ACK'), 'ACK')
  call.forge('INFO', {}, secrets.slice(0, 12))
  await eventually(() => carrier.requests.some(({ method }) => method === 'INFO'), 'INFO')
  await call.hangUp()
  await eventually(() => carrier.live() === 0, 'BYE to the carrier')
  expect(JSON.stringify(carrier.requests)).not.toMatch(/secret/i)
  const [invite] = carrier.requests
  expect(invite && uriOf(headerOf(invite, 'to'))).toBe('sip:442071234567@127.0.0.1')
  expect(invite && uriOf(headerOf(invite, 'from'))).toBe(`sip:${CALLER_ID}@127.0.0.1`)
  expect(invite && headersOf(invite, 'route')).toEqual([])
})

describe('before the ACK the carrier does not learn the identities that the phone writes', () => {
  const number = '442071234567'
  const requestOf = (phone: Phone, callId: string, to: string): [string, string][] => [
    ...phone.basics(number, callId).filter(([name]) => !['To', 'From', 'Contact'].includes(name)),
    ['From', `"secret" <sip:secret@secret.example>;tag=${callId}`],
    ['To', to.replace(/^[^;]*/, '"secret" <sip:secret@secret.example>')],
  ]
  const inviteOf = (phone: Phone, callId: string): [string, string][] => [
    ...phone.basics(number, callId).filter(([name]) => name !== 'From'),
    ['From', `"secret" <sip:alice@127.0.0.1>;tag=${callId}`],
  ]

  it('in a ringing call', async () => {
    const carrier = await harness.carrier({ kind: 'rings' })
    await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.22'] })
    const phone = await harness.phone({ from: '127.0.0.22' })
    const uri = `sip:${number}@${phone.server}`
    void phone.ask('INVITE', uri, inviteOf(phone, 'early'), '', 'early').catch(() => {})
    const isRinging = (message: SipMessage) => message.status === 180
    const ringing = await eventually(() => phone.messages.find(isRinging), '180')
    const headers = requestOf(phone, 'early', headerOf(ringing, 'to'))
    void phone.ask('INFO', uri, headers, '', 'early').catch(() => {})
    await eventually(() => carrier.requests.some(({ method }) => method === 'INFO'), 'INFO')
    const info = carrier.requests.find(({ method }) => method === 'INFO')
    expect(info && uriOf(headerOf(info, 'from'))).toBe(`sip:${CALLER_ID}@127.0.0.1`)
    expect(JSON.stringify(carrier.requests)).not.toMatch(/secret|alice/i)
  })

  it('in an answered call', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.22'] })
    const phone = await harness.phone({ from: '127.0.0.22' })
    const uri = `sip:${number}@${phone.server}`
    const answer = await phone.ask('INVITE', uri, inviteOf(phone, 'unconfirmed'), '', 'unconfirmed')
    expect(answer.status).toBe(200)
    const headers = requestOf(phone, 'unconfirmed', headerOf(answer, 'to'))
    expect((await phone.ask('INFO', uri, headers, '', 'unconfirmed')).status).toBe(491)
    expect(JSON.stringify(carrier.requests)).not.toMatch(/secret|alice/i)
  })
})

it.each([
  [[['Require', 'nosuch']], 420],
  [[['Content-Type', 'multipart/mixed;boundary=x']], 415],
] satisfies [[string, string][], number][])(
  'refuses a call with %j without asking call control',
  async (more, status) => {
    const peer = await harness.peer({ credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const headers = [...phone.basics('442071234567', `odd-${status}`), ...more]
    const uri = `sip:442071234567@${phone.server}`
    expect((await phone.ask('INVITE', uri, headers, 'v=0\r\n', `odd-${status}`)).status).toBe(status)
    expect(peer.all('authorize')).toEqual([])
  },
)
