import { describe, expect, it } from 'vitest'
import { encode } from '../encode.ts'
import type { Conversation, IncomingCall } from '../endpoint.ts'
import { headerOf, headersOf, tagOf } from '../sip/message.ts'
import { signature } from '../tones.ts'
import { callerRequest, md5, newCallId, openAudio, portIn, sdp, startPeer } from './peer.ts'
import { ended, later, place, start } from './support.ts'

/** An endpoint that answers, and a peer that called it. */
async function answeredCall(body = sdp(9), onCall?: (conversation: Conversation) => void) {
  const peer = await startPeer()
  const conversation = later<Conversation>()
  const incoming = later<IncomingCall>()
  const ivr = await start(async (call) => {
    incoming.resolve(call)
    const answered = await call.answer()
    onCall?.(answered)
    conversation.resolve(answered)
  })
  await peer.connectTo(ivr.port)
  const callId = newCallId()
  const invite = callerRequest(peer, 'INVITE', 1, { callId, body })
  peer.send(invite)
  const ok = await peer.response(200)
  const toTag = tagOf(headerOf(ok, 'to'))
  const within = (
    method: string,
    cseq: number,
    options: { body?: string; headers?: [string, string][] } = {},
  ) => callerRequest(peer, method, cseq, { callId, toTag, ...options })
  return {
    peer,
    ivr,
    callId,
    ok,
    invite,
    within,
    incoming: await incoming.promise,
    conversation: await conversation.promise,
  }
}

describe('a received call', () => {
  it('gets 100, 180 and 200 with an answer to the offered codecs', async () => {
    const offer = `${sdp(9, { types: '18 0 101' })}m=video 5000 RTP/AVP 31\r\n`
    const { peer, ok, incoming, within, conversation } = await answeredCall(offer)
    expect((await peer.response(100)).status).toBe(100)
    expect(tagOf(headerOf(await peer.response(180), 'to'))).toBe(tagOf(headerOf(ok, 'to')))
    expect(ok.body).toMatch(/m=audio \d+ RTP\/AVP 0 101\r\n/)
    expect(ok.body).toMatch(/m=video 0 RTP\/AVP 31\r\n/)
    expect(portIn(ok.body) % 2).toBe(0)
    expect(headersOf(ok, 'record-route').length).toBe(1)
    expect(incoming.from).toEqual({ user: '+4930', name: 'Jürgen "J"' })
    peer.send(within('ACK', 1))
    peer.send(within('BYE', 2))
    expect((await peer.response(200, 'BYE')).status).toBe(200)
    expect(await ended(conversation)).toBe('them')
    peer.send(within('BYE', 3))
    expect((await peer.response(481, 'BYE')).status).toBe(481)
  })

  it('repeats the 200 until its ACK, and sends a BYE only then', async () => {
    const { peer, within, conversation } = await answeredCall()
    expect((await peer.response(200)).status).toBe(200)
    conversation.hangUp()
    expect(await ended(conversation)).toBe('us')
    expect((await peer.response(200)).status).toBe(200)
    expect(peer.arrived.some((message) => 'method' in message)).toBe(false)
    peer.send(within('ACK', 1))
    const bye = await peer.request('BYE')
    expect(headerOf(bye, 'route')).toContain('lr;x=1')
    expect(bye.uri).toContain('sip:peer@')
    peer.reply(bye, 200, 'OK')
  })

  it('takes a late offer in the ACK', async () => {
    const audio = await openAudio()
    const heard = later<void>()
    audio.on('message', () => heard.resolve())
    const { peer, ok, within, conversation } = await answeredCall(
      '',
      (call) => void call.play(encode(signature(1))),
    )
    expect(ok.body).toMatch(/m=audio \d+ RTP\/AVP 8 0 101/)
    peer.send(within('ACK', 1, { body: sdp(audio.own) }))
    await heard.promise
    conversation.hangUp()
    peer.reply(await peer.request('BYE'), 200, 'OK')
  })

  it('sends its BYE over a new connection to the switch if the old one is gone', async () => {
    const { peer, within, conversation } = await answeredCall()
    peer.send(within('ACK', 1))
    peer.send(within('OPTIONS', 2))
    await peer.response(200, 'OPTIONS')
    peer.dropConnections()
    await new Promise((resolve) => setTimeout(resolve, 50))
    conversation.hangUp()
    peer.reply(await peer.request('BYE'), 200, 'OK')
  })

  it('is put on hold and resumed, and refuses an offer without usable audio', async () => {
    const { peer, within } = await answeredCall()
    peer.send(within('ACK', 1))
    peer.send(within('INVITE', 2, { body: sdp(9, { direction: 'sendonly' }) }))
    expect((await peer.response(200)).body).toContain('a=recvonly')
    peer.send(within('ACK', 2))
    peer.send(within('INVITE', 3, { body: sdp(9, { types: '18' }) }))
    await peer.response(488)
    peer.send(within('ACK', 3))
    peer.send(within('INVITE', 4, { body: sdp(9) }))
    expect((await peer.response(200)).body).toContain('a=sendrecv')
    // Not acknowledged yet.
    peer.send(within('INVITE', 5, { body: sdp(9) }))
    await peer.response(491)
    peer.send(within('ACK', 5))
    peer.send(within('ACK', 4))
    peer.send(within('INVITE', 2, { body: sdp(9) }))
    await peer.response(500)
    peer.send(within('UPDATE', 6, { body: sdp(9, { direction: 'inactive' }) }))
    expect((await peer.response(200, 'UPDATE')).body).toContain('a=inactive')
    peer.send(within('REFER', 7))
    await peer.response(405, 'REFER')
    peer.send(within('BYE', 8))
    await peer.response(200, 'BYE')
  })

  it('is refused if it is malformed or asks for what we do not have', async () => {
    const peer = await startPeer()
    const ivr = await start(() => expect.unreachable())
    await peer.connectTo(ivr.port)
    const send = (options: { body?: string; headers?: [string, string][] }, without = '') => {
      const request = callerRequest(peer, 'INVITE', 1, { callId: newCallId(), body: sdp(9), ...options })
      peer.send({ ...request, headers: request.headers.filter(([name]) => name !== without) })
    }
    send({ body: sdp(9, { types: '18' }) })
    await peer.response(488)
    send({ headers: [['require', '100rel']] })
    expect(headerOf(await peer.response(420), 'unsupported')).toBe('100rel')
    send({}, 'contact')
    await peer.response(400)
    send({ body: 'x' })
    await peer.response(488)
    peer.send(callerRequest(peer, 'CANCEL', 1, { callId: newCallId() }))
    await peer.response(481, 'CANCEL')
    peer.send(callerRequest(peer, 'OPTIONS', 1, { callId: newCallId() }))
    await peer.response(200, 'OPTIONS')
    expect(ivr.liveCalls()).toBe(0)
  })

  it('hears keys in INFO only if the caller sends no events', async () => {
    for (const [types, expected] of [
      ['8', ['7', '#']],
      ['8 101', []],
    ] as const) {
      const keys: string[] = []
      const { peer, within } = await answeredCall(sdp(9, { types }), (call) =>
        call.onKey((key) => keys.push(key)),
      )
      peer.send(within('ACK', 1))
      const relay: [string, string][] = [['content-type', 'application/dtmf-relay']]
      peer.send(within('INFO', 2, { headers: relay, body: 'Signal=7\r\nDuration=100\r\n' }))
      peer.send(within('INFO', 3, { headers: [['content-type', 'application/dtmf']], body: '#' }))
      await peer.response(200, 'INFO')
      await peer.response(200, 'INFO')
      expect(keys).toEqual(expected)
      peer.send(within('BYE', 4))
      await peer.response(200, 'BYE')
    }
  })
})

describe('a placed call', () => {
  const challenge = (nonce: string, more = '') =>
    [['www-authenticate', `Digest realm="trunkline", nonce="${nonce}", qop="auth"${more}`]] as const

  function verify(authorization: string, uri: string): void {
    const field = (name: string) => new RegExp(`\\b${name}="?([^",]+)`).exec(authorization)?.[1] ?? ''
    const hash = md5('media:trunkline:secret')
    const request = md5(`INVITE:${uri}`)
    const expected = md5(`${hash}:${field('nonce')}:${field('nc')}:${field('cnonce')}:auth:${request}`)
    expect(field('response')).toBe(expected)
  }

  it('answers a digest challenge, also after the nonce has expired, and acknowledges repeated 200s', async () => {
    const peer = await startPeer()
    const audio = await openAudio()
    const caller = await start()
    const call = caller.call({
      host: '127.0.0.1',
      port: peer.port,
      user: '+49301#',
      username: 'media',
      password: 'secret',
      headers: [['X-Leg', 'abc\r\nEvil: yes']],
    })
    const first = await peer.request('INVITE')
    expect(first.uri).toContain('sip:+49301%23@')
    expect(headerOf(first, 'x-leg')).toBe('abc Evil: yes')
    expect(headerOf(first, 'evil')).toBe('')
    peer.reply(first, 401, 'Unauthorized', { headers: challenge('one') })
    expect(headerOf(await peer.request('ACK'), 'cseq')).toBe('1 ACK')
    const second = await peer.request('INVITE')
    verify(headerOf(second, 'authorization'), second.uri)
    expect(headerOf(second, 'call-id')).toBe(headerOf(first, 'call-id'))
    peer.reply(second, 401, 'Unauthorized', { headers: challenge('two', ', stale=true') })
    await peer.request('ACK')
    const third = await peer.request('INVITE')
    expect(headerOf(third, 'authorization')).toContain('nonce="two"')
    peer.reply(third, 180, 'Ringing')
    const routes = [['record-route', '<sip:far;lr>, <sip:near;lr>']] as const
    const ok = () => peer.reply(third, 200, 'OK', { body: sdp(audio.own), headers: routes })
    ok()
    const ack = await peer.request('ACK')
    expect(headersOf(ack, 'route')).toEqual(['<sip:near;lr>', '<sip:far;lr>'])
    const result = await call.result
    if (result.type === 'failed') throw new Error(result.reason)
    ok()
    await peer.request('ACK')
    result.conversation.hangUp()
    peer.reply(await peer.request('BYE'), 200, 'OK')
  })

  it('does not try a wrong password again', async () => {
    const peer = await startPeer()
    const call = place(await start(), peer)
    for (const nonce of ['one', 'two'])
      peer.reply(await peer.request('INVITE'), 401, 'Unauthorized', { headers: challenge(nonce) })
    expect(await call.result).toEqual({ type: 'failed', code: 401, reason: 'Unauthorized' })
  })

  it('ends a call that is answered while it is canceled', async () => {
    const peer = await startPeer()
    const call = place(await start(), peer)
    const invite = await peer.request('INVITE')
    call.cancel()
    expect(await call.result).toMatchObject({ code: 487 })
    peer.reply(invite, 180, 'Ringing')
    peer.reply(await peer.request('CANCEL'), 200, 'OK')
    peer.reply(invite, 200, 'OK', { body: sdp(9) })
    await peer.request('ACK')
    peer.reply(await peer.request('BYE'), 200, 'OK')
  })

  it('ends a call whose answer has no usable audio', async () => {
    const peer = await startPeer()
    const call = place(await start(), peer)
    peer.reply(await peer.request('INVITE'), 200, 'OK', { body: sdp(9, { types: '18' }) })
    await peer.request('ACK')
    peer.reply(await peer.request('BYE'), 200, 'OK')
    expect(await call.result).toMatchObject({ type: 'failed', code: 488 })
  })
})
