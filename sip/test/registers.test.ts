import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  formatMessage,
  headerOf,
  parseMessage,
  type SipMessage,
  uriOf,
} from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { harnessForFile, refuse } from './harness.ts'

/** The switch registers at carriers. */
const harness = await harnessForFile({ limits: { registerRetrySeconds: 2 } })

const PASSWORD = `a "quoted" \\ pass'word`

const isRemoval = (request: SipMessage): boolean => headerOf(request, 'expires') === '0'

/** A carrier that challenges REGISTER and accepts it with the right digest. */
async function startRegistrar({ isDown = false, host = '127.0.0.1' } = {}) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, host, resolve))
  const accepted: SipMessage[] = []
  const answers = new Map<string, string>()
  const state = { isDown, requests: 0 }
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const isRight = (request: SipMessage) => {
    const given = headerOf(request, 'authorization')
    const field = (name: string) => new RegExp(`${name}="?([^",]*)"?`).exec(given)?.[1] ?? ''
    const ha1 = md5(`${field('username')}:carrier:${PASSWORD}`)
    return (
      given !== '' && field('response') === md5(`${ha1}:${field('nonce')}:${md5(`REGISTER:${field('uri')}`)}`)
    )
  }
  socket.on('message', (bytes, from) => {
    const request = parseMessage(bytes.toString('latin1'))
    if (request?.method !== 'REGISTER') return
    const via = headerOf(request, 'via')
    const repeated = answers.get(via)
    if (repeated) return socket.send(repeated, from.port, from.address)
    state.requests += 1
    const copied = request.headers.filter(([name]) => /^(via|from|to|call-id|cseq)$/i.test(name))
    const answer = (status: number, more: [string, string][]) => {
      const text = formatMessage({ status, reason: 'Reply', headers: [...copied, ...more], body: '' })
      answers.set(via, text)
      socket.send(text, from.port, from.address)
    }
    if (state.isDown) return answer(503, [])
    if (!isRight(request))
      return answer(401, [['WWW-Authenticate', 'Digest realm="carrier", nonce="n0", algorithm=MD5']])
    accepted.push(request)
    const contact = headerOf(request, 'contact')
    answer(200, isRemoval(request) ? [] : [['Contact', `${contact};expires=12`]])
  })
  const removed = () => accepted.filter(isRemoval).map((request) => uriOf(headerOf(request, 'to')))
  return { port: socket.address().port, accepted, removed, state, close: () => socket.close() }
}

const trunk = (port: number) => ({
  id: 7,
  host: '127.0.0.1',
  port,
  transport: 'udp' as const,
  username: '442079460000',
  password: PASSWORD,
})

it('registers, refreshes, and accepts calls to the registration by the To header', async () => {
  const registrar = harness.keep(await startRegistrar())
  const peer = await harness.peer({ authorize: () => refuse(404, 'No such number') })
  peer.send({ type: 'registers', trunks: [trunk(registrar.port)] })
  const request = await eventually(() => registrar.accepted[0], 'REGISTER')
  expect(uriOf(headerOf(request, 'to'))).toBe('sip:442079460000@127.0.0.1')
  expect(uriOf(headerOf(request, 'contact'))).toBe(`sip:trunk~7@127.0.0.1:${harness.sipPort};transport=udp`)
  // An unchanged list changes nothing.
  peer.send({ type: 'registers', trunks: [trunk(registrar.port)] })
  await eventually(() => registrar.accepted.length >= 2, 'refresh before the expiry', 20_000)

  peer.send({ type: 'sources', clear: true, add: ['127.0.0.40'] })
  await peer.processed()
  const carrier = await harness.phone({ from: '127.0.0.40' })
  const call = await carrier.call('trunk~7', [['To', '<sip:442079460123@carrier.example>']])
  expect((await call.ended).status).toBe(404)
  expect(peer.all('authorize')).toMatchObject([{ direction: 'in', to: '442079460123' }])

  expect(registrar.removed()).toEqual([])
  peer.send({ type: 'registers', trunks: [] })
  const removal = await eventually(() => registrar.accepted.find(isRemoval), 'REGISTER with Expires: 0')
  expect(headerOf(removal, 'contact')).toBe(headerOf(request, 'contact'))
  const before = registrar.state.requests
  await pause(8_000)
  expect(registrar.state.requests).toBe(before)
})

it('accepts calls to the registration from the host where it is registered, and from nobody else', async () => {
  const host = '127.0.0.41'
  const registrar = harness.keep(await startRegistrar({ host }))
  const peer = await harness.peer({ authorize: () => refuse(404, 'No such number') })
  peer.send({ type: 'sources', clear: true, add: [] })
  peer.send({ type: 'registers', trunks: [{ ...trunk(registrar.port), host }] })
  await eventually(() => registrar.accepted[0], 'REGISTER')
  const statusFrom = async (from: string, user = 'trunk~7') => {
    const carrier = await harness.phone({ from })
    const call = await carrier.call(user, [['To', '<sip:442079460123@carrier.example>']])
    return (await call.ended).status
  }
  expect(await statusFrom(host)).toBe(404)
  expect(peer.all('authorize')).toMatchObject([{ direction: 'in', to: '442079460123', registrar: 7 }])
  expect(await statusFrom('127.0.0.42')).toBe(407)
  expect(await statusFrom(host, 'trunk~8')).toBe(407)
  expect(await statusFrom(host, '442079460123')).toBe(407)
  peer.send({ type: 'registers', trunks: [] })
  await peer.processed()
  expect(await statusFrom(host)).toBe(407)
  expect(peer.all('authorize')).toHaveLength(1)
})

it('removes the old registration if the account at the carrier changes, but not for a new password', async () => {
  const registrar = harness.keep(await startRegistrar())
  const peer = await harness.peer()
  const given = trunk(registrar.port)
  const registered = (count: number) =>
    eventually(() => registrar.accepted.filter((request) => !isRemoval(request)).length >= count, 'REGISTER')
  peer.send({ type: 'registers', trunks: [{ ...given, password: 'old' }] })
  await eventually(() => registrar.state.requests >= 2, 'REGISTER with the old password')
  peer.send({ type: 'registers', trunks: [given] })
  await registered(1)
  expect(registrar.removed()).toEqual([])
  peer.send({ type: 'registers', trunks: [{ ...given, username: '442079460001' }] })
  await registered(2)
  await eventually(() => registrar.removed().length > 0, 'REGISTER with Expires: 0')
  expect(registrar.removed()).toEqual(['sip:442079460000@127.0.0.1'])
  peer.send({ type: 'registers', trunks: [] })
  await eventually(() => registrar.removed().length > 1, 'REGISTER with Expires: 0')
})

it('tries again after a failure, and reports whether it is registered', async () => {
  const registrar = harness.keep(await startRegistrar({ isDown: true }))
  const peer = await harness.peer()
  peer.send({ type: 'registers', trunks: [trunk(registrar.port)] })
  await eventually(() => registrar.state.requests >= 1, 'REGISTER')
  await peer.next('registration', ({ trunk, isRegistered }) => trunk === 7 && !isRegistered)
  registrar.state.isDown = false
  await eventually(() => registrar.accepted.length > 0, 'REGISTER after the failure')
  await peer.next('registration', ({ trunk, isRegistered }) => trunk === 7 && isRegistered)
  // A new connection gets the state too.
  const second = await harness.peer()
  await second.next('registration', ({ trunk, isRegistered }) => trunk === 7 && isRegistered)
  peer.send({ type: 'registers', trunks: [] })
  await peer.processed()
})
