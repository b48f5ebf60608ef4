import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { headerOf, headersOf, type SipMessage } from '../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from './called-phone.ts'
import { challengeOf, digestFor } from './digest.ts'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, harnessForFile, REALM, refuse, startHarness } from './harness.ts'
import { CARRIER, callOfCarrier, peerWithCarrier, phones, ringing } from './incoming-calls.ts'

const harness = await harnessForFile({ limits: { failuresToBan: 50 } })

const known = { credentials: credentialsOf(alice) }

describe('a phone that registers', () => {
  it.each(['alice', 'sha256~alice'])('authenticates as %s', async (user) => {
    const peer = await harness.peer(known)
    const phone = await harness.phone({ account: { ...alice, user } })
    const before = Date.now()
    expect((await phone.register(300)).status).toBe(200)
    const registered = await peer.next('registered', ({ at }) => at >= before - 1)
    expect(registered).toMatchObject({ user: 'alice', address: '127.0.0.1', device: 'Test Phone 1.0' })
    expect(registered.contact).toContain(`${user}@127.0.0.1:${phone.line.port}`)
    expect(registered.expiresAt).toBeGreaterThanOrEqual(before + 299_000)
    expect((await phone.register(0)).status).toBe(200)
    expect(await peer.next('unregistered', ({ at }) => at >= registered.at)).toMatchObject({
      user: 'alice',
      contact: registered.contact,
    })
  })

  it('is reported when it appears and when it changes, not when it refreshes', async () => {
    const peer = await harness.peer(known)
    // Wait until the switch has replayed old events to this new connection.
    await peer.processed()
    const phone = await harness.phone({ account: alice })
    for (let times = 0; times < 3; times++) expect((await phone.register(300)).status).toBe(200)
    const contactIs = ({ contact }: { contact: string }) => contact.includes(`:${phone.line.port}`)
    await eventually(() => peer.all('registered').some(contactIs), 'registration')
    await pause(100)
    expect(peer.all('registered').filter(contactIs)).toHaveLength(1)
    expect((await phone.register(3_600)).status).toBe(200)
    await eventually(() => peer.all('registered').filter(contactIs).length === 2, 'longer registration')
    expect((await phone.register(0)).status).toBe(200)
    await peer.next('unregistered', contactIs)
    expect((await phone.register(300)).status).toBe(200)
    await eventually(() => peer.all('registered').filter(contactIs).length === 3, 'new registration')
  })

  it('is reported with the contacts that the switch has stored', async () => {
    const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
    const phone = await harness.phone({ account: alice })
    const registered = () => peer.all('registered').map(({ contact }) => contact)
    const before = Date.now()
    await phone.registerAs(
      '<sip:none@192.0.2.9>;expires=0, <sip:b@192.0.2.9>;expires=900, <sip:c@192.0.2.9>',
      300,
    )
    await eventually(() => registered().includes('sip:c@192.0.2.9'), 'last contact', 5_000)
    expect(registered().sort()).toEqual(['sip:b@192.0.2.9', 'sip:c@192.0.2.9'])
    // Call control gets the expiry of each contact, and fifteen minutes more.
    const seconds = peer.all('registered').map(({ expiresAt }) => Math.round((expiresAt - before) / 1_000))
    expect(Math.max(...seconds)).toBeOneOf([1_799, 1_800, 1_801])
    expect(Math.min(...seconds)).toBeOneOf([1_199, 1_200, 1_201])
    await phone.registerAs('<sip:none@192.0.2.9>, <sip:b@192.0.2.9>', 0)
    await peer.next('unregistered', ({ contact }) => contact === 'sip:b@192.0.2.9')
    expect(peer.all('unregistered').map(({ contact }) => contact)).toEqual(['*', '*', 'sip:b@192.0.2.9'])
  })

  it.each([
    ['alice', 'MD5'],
    ['sha256~alice', 'SHA-256'],
    ['nobody-of-that-name', 'MD5'],
    ['sha256~nobody-of-that-name', 'SHA-256'],
  ])('is offered one algorithm, selected by its username: %s, %s', async (user, algorithm) => {
    await harness.peer(known)
    const phone = await harness.phone({ account: { user, password: 'guessed' } })
    await phone.register()
    const [challenged] = phone.messages
    expect(challenged?.status).toBe(401)
    const offers = headersOf(challenged as SipMessage, 'www-authenticate')
    expect(offers.map((offer) => /algorithm=(\S+)/.exec(offer)?.[1])).toEqual([algorithm])
    expect(offers[0]).toContain(`realm="${REALM}"`)
  })

  it.each([
    ['alice', 'SHA-256', 'MD5'],
    ['sha256~alice', 'MD5', 'SHA-256'],
    ['sha256~nobody-of-that-name', 'MD5', 'SHA-256'],
  ])('%s is challenged again when it answers with %s', async (user, algorithm, offered) => {
    await harness.peer(known)
    const account = { user, password: alice.password }
    const phone = await harness.phone()
    const uri = `sip:${phone.server}`
    const challenge = challengeOf(
      await phone.ask('REGISTER', uri, phone.basics(user, 'other-1'), '', 'other-1'),
    )
    if (!challenge) throw new Error('no challenge received')
    const proof = digestFor(account, { ...challenge, algorithm }, 'REGISTER', uri)
    const headers: [string, string][] = [...phone.basics(user, 'other-2'), ['Authorization', proof]]
    const again = await phone.ask('REGISTER', uri, headers, '', 'other-2')
    expect(again.status).toBe(401)
    expect(headersOf(again, 'www-authenticate')).toEqual([
      expect.stringMatching(new RegExp(`stale=true, algorithm=${offered}$`)),
    ])
  })

  it('is reported without a device when it has no User-Agent', async () => {
    const peer = await harness.peer(known)
    const phone = await harness.phone({ account: alice })
    const headers = phone.basics('alice', 'no-agent').filter(([name]) => name !== 'User-Agent')
    const answer = await phone.ask('REGISTER', `sip:${phone.server}`, headers, '', 'no-agent')
    expect(answer.status).toBe(200)
    const registered = await peer.next('registered', ({ contact }) => contact.includes(`:${phone.line.port}`))
    expect(registered.device).toBe('')
  })

  it('has its credentials cached until call control sends forget', async () => {
    const peer = await harness.peer(known)
    const phone = await harness.phone({ account: alice })
    peer.send({ type: 'forget', users: null })
    await peer.processed()
    await phone.register()
    await phone.register()
    expect(peer.all('credentials')).toHaveLength(1)
    peer.send({ type: 'forget', users: ['alice'] })
    await peer.processed()
    expect((await phone.register()).status).toBe(200)
    expect(peer.all('credentials')).toHaveLength(2)
  })

  it('is accepted when call control sends forget while the password is checked', async () => {
    const peer = await harness.peer(known)
    const phone = await harness.phone({ account: alice })
    const users = Array<string>(80).fill('alice')
    for (let times = 0; times < 15; times++) {
      for (let count = 0; count < 25; count++) peer.send({ type: 'forget', users })
      expect((await phone.register()).status).toBe(200)
    }
  })

  it('cannot use the old password after call control sends forget', async () => {
    const first = await harness.peer(known)
    const phone = await harness.phone({ account: alice })
    expect((await phone.register()).status).toBe(200)
    await first.close()
    const rotated = { ...alice, password: 'a new one' }
    const peer = await harness.peer({ credentials: credentialsOf(rotated) })
    peer.send({ type: 'forget', users: ['alice'] })
    await peer.processed()
    expect((await phone.register()).status).toBe(403)
    peer.send({ type: 'forget', users: null })
  })

  it.each(['bob', 'sha256~bob'])('cannot register another account as %s', async (other) => {
    await harness.peer(known)
    const phone = await harness.phone({ account: alice })
    const headers = phone
      .basics(other, 'somebody-else')
      .map(([name, value]): [string, string] => [name, value])
    const answer = await phone.ask('REGISTER', `sip:${phone.server}`, headers, '', 'somebody-else')
    expect(answer.status).toBe(403)
  })

  it('gets 503 when call control does not answer or is not connected', async () => {
    const silent = await harness.peer({ credentials: () => 'silence' })
    silent.send({ type: 'forget', users: null })
    await silent.processed()
    const phone = await harness.phone({ account: alice })
    expect((await phone.register()).status).toBe(503)
    await silent.close()
    await pause(60)
    expect((await phone.register()).status).toBe(503)
  })

  it('is removed when call control unregisters the user', async () => {
    const peer = await harness.peer(known)
    const phone = await harness.phone({ account: alice })
    await phone.register()
    const before = Date.now()
    peer.send({ type: 'unregister', user: 'alice' })
    expect(await peer.next('unregistered', ({ at }) => at >= before)).toMatchObject({
      user: 'alice',
      contact: '*',
    })
  })
})

describe('a username with @', () => {
  const carol = { user: 'carol@example.com', password: 'sings' }

  it('registers, is rung, and is unregistered', async () => {
    const peer = await harness.peer({
      authorize: () => ringing([phones('Carol@example.com')]),
      credentials: credentialsOf(carol),
    })
    peer.send({ type: 'sources', clear: true, add: [CARRIER] })
    await peer.processed()
    const phone = await startCalledPhone(harness, carol)
    await phone.register()
    expect(await peer.next('registered', ({ user }) => user === carol.user)).toBeDefined()
    const first = await callOfCarrier(harness)
    await phone.rung()
    await first.call.cancel()
    peer.send({ type: 'unregister', user: carol.user })
    await peer.processed()
    expect((await (await callOfCarrier(harness)).call.ended).status).toBe(480)
  })

  it('does not unregister the phones of the account that is named like its part before @', async () => {
    const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice)
    await phone.register()
    peer.send({ type: 'unregister', user: 'alice@x' })
    await peer.processed()
    const { call } = await callOfCarrier(harness)
    await phone.rung()
    await call.cancel()
  })
})

describe('a wrong password and an unknown user', () => {
  /** The replies as seen by the phone, without values that differ in every message. */
  const seen = async (user: string, method: 'REGISTER' | 'INVITE') => {
    const phone = await harness.phone({ account: { user, password: 'guessed' } })
    if (method === 'REGISTER') await phone.register()
    else await (await phone.call('442071234567')).ended
    // A repeated request gets its reply again.
    const replies = phone.messages.filter(
      (message, at) =>
        message.status !== 100 &&
        phone.messages.findIndex(
          (other) => other.status === message.status && headerOf(other, 'cseq') === headerOf(message, 'cseq'),
        ) === at,
    )
    return replies.map(({ status, reason, headers }) => ({
      status,
      reason,
      headers: headers.map(([name, value]) =>
        /authenticate/i.test(name) ? `${name}: ${value.replace(/nonce="[^"]*"/, '')}` : name,
      ),
    }))
  }

  it('get identical replies to REGISTER', async () => {
    await harness.peer(known)
    const wrong = await seen('alice', 'REGISTER')
    expect(wrong.map(({ status }) => status)).toEqual([401, 403])
    expect(await seen('nobody-of-that-name', 'REGISTER')).toEqual(wrong)
    expect(await seen('nobody-of-that-name', 'REGISTER')).toEqual(wrong)
    expect(await seen('alice', 'REGISTER')).toEqual(wrong)
    const sha256 = await seen('sha256~alice', 'REGISTER')
    expect(sha256.map(({ status }) => status)).toEqual([401, 403])
    expect(await seen('sha256~nobody-of-that-name', 'REGISTER')).toEqual(sha256)
  })

  it('get identical replies to INVITE, and reach call control without a user', async () => {
    const peer = await harness.peer({ ...known, authorize: () => refuse(403, 'Forbidden') })
    const wrong = await seen('alice', 'INVITE')
    expect(wrong.map(({ status }) => status)).toEqual([407, 403])
    expect(await seen('nobody-of-that-name', 'INVITE')).toEqual(wrong)
    expect(peer.all('authorize').map(({ user }) => user)).toEqual([undefined, undefined])
  })
})

describe('a digest', () => {
  it('cannot be replayed', async () => {
    await harness.peer(known)
    const phone = await harness.phone()
    const uri = `sip:${phone.server}`
    const challenged = await phone.ask('REGISTER', uri, phone.basics('alice', 'replay-1'), '', 'replay-1')
    const challenge = challengeOf(challenged)
    if (!challenge) throw new Error('no challenge received')
    const proof: [string, string] = ['Authorization', digestFor(alice, challenge, 'REGISTER', uri)]
    const ask = (callId: string) =>
      phone.ask('REGISTER', uri, [...phone.basics('alice', callId), proof], '', callId)
    expect((await ask('replay-2')).status).toBe(200)
    const again = await ask('replay-3')
    expect(again.status).toBe(401)
    expect(headerOf(again, 'www-authenticate')).toContain('stale=true')
  })

  it('that is retransmitted gets the same reply and counts as one failure', async () => {
    const peer = await harness.peer(known)
    await peer.processed()
    const ports: number[] = []
    for (const [account, status] of [
      [alice, 200],
      [{ ...alice, password: 'wrong' }, 403],
    ] as const) {
      const phone = await harness.phone({ account })
      ports.push(phone.line.port)
      expect((await phone.register()).status).toBe(status)
      const answers = () => phone.messages.length
      const before = answers()
      phone.send(phone.lastRequest())
      await eventually(() => answers() > before, 'second answer')
      expect(phone.messages.at(-1)?.status).toBe(status)
    }
    await peer.processed()
    const isTheirs = ({ contact }: { contact: string }) => ports.some((port) => contact.includes(`:${port}`))
    await eventually(() => peer.all('registered').some(isTheirs), 'registration')
    await pause(100)
    expect(peer.all('registered').filter(isTheirs)).toHaveLength(1)
  })

  it('with a nonce issued to another address is challenged again', async () => {
    await harness.peer(known)
    const phone = await harness.phone()
    const uri = `sip:${phone.server}`
    const forged = {
      realm: REALM,
      nonce: `${Math.floor(Date.now() / 1000)}.1.${'0'.repeat(64)}`,
      algorithm: 'MD5',
    }
    const proof: [string, string] = ['Authorization', digestFor(alice, forged, 'REGISTER', uri)]
    const answer = await phone.ask('REGISTER', uri, [...phone.basics('alice', 'forged'), proof], '', 'forged')
    expect(answer.status).toBe(401)
  })
})

it('accepts credentials that are refreshed at the moment of their expiry', async () => {
  const forgetful = await startHarness({ limits: { credentialsSeconds: 1, failuresToBan: 50 } })
  try {
    const peer = await forgetful.peer(known)
    const phone = await forgetful.phone({ account: alice })
    // Kamailio sweeps expired entries only now and then, so a refresh can happen before the sweep.
    while (peer.all('credentials').length < 3) {
      expect((await phone.register()).status).toBe(200)
      await pause(200)
    }
  } finally {
    await forgetful.close()
  }
})
