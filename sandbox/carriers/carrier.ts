import { randomBytes } from 'node:crypto'
import type { RemoteInfo } from 'node:dgram'
import { bindUdp } from '../shared/udp.ts'
import { answerTo, type Behavior, byeChallengeOf } from './behavior.ts'
import { type MediaEnd, openEcho, openTone } from './media.ts'
import { createRepeats, FIRST_REPEAT_MS, MAX_REPEATS, nextWait } from './repeats.ts'
import {
  answeredDirection,
  audioDescription,
  branchOf,
  cseqOf,
  formatMessage,
  headerOf,
  headersOf,
  keysOffered,
  mediaTarget,
  newBranch,
  parseMessage,
  replyTo,
  routesOf,
  SDP,
  type SipMessage,
  tagOf,
  uriOf,
  userOf,
} from './sip-message.ts'

/** A test carrier: a small SIP server on its own UDP port. */
export type Carrier = {
  host: string
  port: number
  /** Recent requests in order. */
  requests: SipMessage[]
  /** DTMF keys received in its calls, in order. */
  digits(): string
  /** Number of ringing calls, and of answered ones. */
  ringing(): number
  live(): number
  /** Call-IDs of the answered calls. */
  liveCallIds(): string[]
  /** Answers all ringing calls. */
  answerAll(): void
  /** Sends a BYE in one call. */
  hangUp(callId: string): void
  /** Sends a BYE in all calls. */
  hangUpAll(): void
  /** Sends a re-INVITE in all calls, for example to put them on hold. */
  reinviteAll(direction: string): void
  close(): Promise<void>
}

type CarrierOptions = {
  host?: string
  port?: number
  /** Behavior by called number. */
  behaviorOf?: (number: string) => Behavior
}

type Peer = { address: string; port: number }
type Call = {
  invite: SipMessage
  /** Request-URI of our requests. */
  target: string
  behavior: Behavior
  ownTag: string
  peer: Peer
  state: 'ringing' | 'answered' | 'over'
  media: MediaEnd | null
  timers: Set<NodeJS.Timeout>
  cseq: number
  pickUp(): void
  /** The last CSeq of the other side. */
  heardCseq: number
  byeStatus: number | null
}

/** Limits the memory of a long-running demo. */
const MAX_REMEMBERED = 10_000

export async function startCarrier(options: CarrierOptions = {}): Promise<Carrier> {
  const host = options.host ?? '127.0.0.1'
  const behaviorOf = options.behaviorOf ?? ((): Behavior => ({ kind: 'echo' }))
  const calls = new Map<string, Call>()
  const requests: SipMessage[] = []
  let digits = ''
  /** The last reply by transaction, for retransmissions. */
  const said = new Map<string, string>()
  const socket = await bindUdp(host, options.port ?? 0)
  const port = socket.address().port
  const shownHost = host.includes(':') ? `[${host}]` : host
  const contact = `<sip:carrier@${shownHost}:${port}>`
  /** The carrier's own requests without a reply. */
  const repeats = createRepeats()
  let isClosed = false

  socket.on('message', (bytes, from) => {
    const message = parseMessage(bytes.toString('latin1'))
    if (message?.method) void handle(message, from)
    else if (message) hear(message)
  })

  /** The Contact of a 2xx to our re-INVITE is the target of our next request (RFC 3261, section 12.2.1.2). */
  function hear(reply: SipMessage): void {
    repeats.stop(branchOf(headerOf(reply, 'via')))
    const call = calls.get(headerOf(reply, 'call-id'))
    const [cseq = '', method] = headerOf(reply, 'cseq').split(' ')
    if (!call || method !== 'INVITE' || reply.status !== 200) return
    const shown = headerOf(reply, 'contact')
    if (shown) call.target = uriOf(shown)
    transmit(requestOf(call, 'ACK', Number(cseq)).text, call.peer)
  }

  /** A call that is still being set up may send after the carrier was closed. */
  function transmit(text: string, { address, port: toPort }: Peer): void {
    if (!isClosed) socket.send(text, toPort, address)
  }

  async function handle(request: SipMessage, from: RemoteInfo): Promise<void> {
    const transaction = `${headerOf(request, 'via')} ${request.method}`
    const before = said.get(transaction)
    if (before !== undefined) {
      if (before !== '') transmit(before, from)
      return
    }
    requests.push(request)
    if (requests.length > MAX_REMEMBERED) requests.shift()
    if (request.method === 'ACK') return acknowledged(request)
    said.set(transaction, '')
    setTimeout(() => said.delete(transaction), 32_000).unref()
    const call = calls.get(headerOf(request, 'call-id'))
    const isInside = tagOf(headerOf(request, 'to')) !== ''
    if (isInside && !isOf(call, request)) return say(request, from, 481, 'Call/Transaction Does Not Exist')
    if (isInside && call && cseqOf(request) <= call.heardCseq)
      return say(request, from, 500, 'Server Internal Error', call)
    if (headersOf(request, 'require').some((value) => !/^(timer|100rel|[ ,])*$/.test(value)))
      return say(request, from, 420, 'Bad Extension', call)
    if (isInside && call) call.heardCseq = cseqOf(request)
    switch (request.method) {
      case 'INVITE':
        if (call && isInside) return answerAgain(call, request, from)
        return newCall(request, from)
      case 'CANCEL':
        say(request, from, 200, 'OK', call)
        if (call?.state === 'ringing') {
          say(call.invite, from, 487, 'Request Terminated', call)
          finish(call)
        }
        return
      case 'BYE': {
        if (!call) return say(request, from, 481, 'Call/Transaction Does Not Exist')
        if (call.byeStatus === null) return
        const challenge = byeChallengeOf(call.behavior, request)
        if (challenge) {
          const { code, reason, headers } = challenge
          return say(request, from, code, reason, call, { headers })
        }
        say(request, from, call.byeStatus, call.byeStatus === 200 ? 'OK' : 'Not Now', call)
        if (call.byeStatus === 200) finish(call)
        return
      }
      case 'OPTIONS':
      case 'UPDATE':
      case 'PRACK':
      case 'INFO':
        return say(request, from, 200, 'OK', call)
      default:
        say(request, from, 405, 'Method Not Allowed', call)
    }
  }

  /** The tags must match the dialog, as at a real carrier. */
  const isOf = (call: Call | undefined, request: SipMessage): boolean =>
    call !== undefined &&
    tagOf(headerOf(request, 'to')) === call.ownTag &&
    tagOf(headerOf(request, 'from')) === tagOf(headerOf(call.invite, 'from'))

  async function newCall(invite: SipMessage, from: RemoteInfo): Promise<void> {
    const behavior = behaviorOf(userOf(invite.uri ?? ''))
    const answer = answerTo(behavior, invite)
    if (answer.kind === 'nothing') return
    const call: Call = {
      invite,
      target: uriOf(headerOf(invite, 'contact')),
      behavior,
      ownTag: randomBytes(6).toString('hex'),
      peer: { address: from.address, port: from.port },
      state: 'ringing',
      media: null,
      timers: new Set(),
      cseq: 1,
      pickUp: () => {},
      heardCseq: cseqOf(invite),
      byeStatus: answer.kind === 'ring' ? answer.byeStatus : 200,
    }
    say(invite, from, 100, 'Trying', call)
    if (answer.kind === 'refuse') {
      return say(invite, from, answer.code, answer.reason, call, { headers: answer.headers })
    }
    calls.set(headerOf(invite, 'call-id'), call)
    const offered = mediaTarget(invite.body)
    const keys = keysOffered(invite.body)
    call.media = await (answer.sound === 'tone'
      ? openTone(host, offered)
      : openEcho(host, keys, (digit) => {
          digits = `${digits}${digit}`.slice(-MAX_REMEMBERED)
        }))
    if (isClosed) return call.media.close()
    const description = audioDescription(host, call.media.port, 'sendrecv', keys)
    if (answer.hasEarlyMedia) say(invite, from, 183, 'Session Progress', call, { body: description })
    else say(invite, from, 180, 'Ringing', call)
    call.pickUp = () => {
      if (call.state !== 'ringing') return
      call.state = 'answered'
      say(invite, from, 200, 'OK', call, { body: description })
      repeatUntilAcknowledged(call, invite, from)
      if (answer.hangUpAfterMs !== null) later(call, answer.hangUpAfterMs, () => hangUp(call))
    }
    if (answer.afterMs !== null) later(call, answer.afterMs, call.pickUp)
  }

  function answerAgain(call: Call, invite: SipMessage, from: RemoteInfo): void {
    const { body: offer } = invite
    const body = call.media
      ? audioDescription(host, call.media.port, answeredDirection(offer), keysOffered(offer))
      : ''
    say(invite, from, 200, 'OK', call, { body })
  }

  function repeatUntilAcknowledged(call: Call, invite: SipMessage, from: RemoteInfo): void {
    const text = said.get(`${headerOf(invite, 'via')} INVITE`) ?? ''
    const repeat = (count: number, wait: number) =>
      later(call, wait, () => {
        if (acknowledgedCalls.has(call) || call.state !== 'answered' || count > MAX_REPEATS) return
        transmit(text, from)
        repeat(count + 1, nextWait(wait))
      })
    repeat(1, FIRST_REPEAT_MS)
  }

  const acknowledgedCalls = new WeakSet<Call>()
  function acknowledged(ack: SipMessage): void {
    const call = calls.get(headerOf(ack, 'call-id'))
    if (call && isOf(call, ack)) acknowledgedCalls.add(call)
  }

  function say(
    request: SipMessage,
    to: Peer,
    status: number,
    reason: string,
    call?: Call,
    extra: { headers?: [string, string][] | undefined; body?: string } = {},
  ): void {
    const toHeader = headerOf(request, 'to')
    const tag = tagOf(toHeader) || status === 100 ? '' : `;tag=${call?.ownTag ?? 'none'}`
    const { headers, body = '' } = extra
    const text = formatMessage(
      replyTo(request, { status, reason, to: `${toHeader}${tag}`, contact, body }, headers),
    )
    if (status > 100) said.set(`${headerOf(request, 'via')} ${request.method}`, text)
    transmit(text, to)
  }

  /** An in-dialog request of the carrier, along the route set of the INVITE. */
  function ask(call: Call, method: string, body = ''): void {
    call.cseq += 1
    const { branch, text } = requestOf(call, method, call.cseq, body)
    repeats.send(branch, () => transmit(text, call.peer))
  }

  function requestOf(
    { invite, ownTag, target }: Call,
    method: string,
    cseq: number,
    body = '',
  ): { branch: string; text: string } {
    const branch = newBranch()
    const headers: [string, string][] = [
      ['Via', `SIP/2.0/UDP ${shownHost}:${port};rport;branch=${branch}`],
      ...routesOf(invite, 'record-route').map((value): [string, string] => ['Route', value]),
      ['From', `${headerOf(invite, 'to')};tag=${ownTag}`],
      ['To', headerOf(invite, 'from')],
      ['Call-ID', headerOf(invite, 'call-id')],
      ['CSeq', `${cseq} ${method}`],
      ['Max-Forwards', '70'],
      ['Contact', contact],
      ...(body ? [SDP] : []),
    ]
    return { branch, text: formatMessage({ method, uri: target, headers, body }) }
  }

  function hangUp(call: Call): void {
    if (call.state !== 'answered') return
    ask(call, 'BYE')
    finish(call)
  }

  function finish(call: Call): void {
    call.state = 'over'
    call.media?.close()
    for (const timer of call.timers) clearTimeout(timer)
    calls.delete(headerOf(call.invite, 'call-id'))
  }

  function later(call: Call, ms: number, action: () => void): void {
    const timer = setTimeout(() => {
      call.timers.delete(timer)
      action()
    }, ms)
    call.timers.add(timer)
  }

  const callsThatAre = (wanted: Call['state']) => [...calls.values()].filter(({ state }) => state === wanted)
  const answered = () => callsThatAre('answered')
  return {
    host,
    port,
    requests,
    digits: () => digits,
    ringing: () => callsThatAre('ringing').length,
    live: () => answered().length,
    liveCallIds: () => answered().map(({ invite }) => headerOf(invite, 'call-id')),
    answerAll: () => {
      for (const call of calls.values()) call.pickUp()
    },
    hangUp(callId) {
      const call = calls.get(callId)
      if (call) hangUp(call)
    },
    hangUpAll: () => answered().forEach(hangUp),
    reinviteAll: (direction) =>
      answered().forEach((call) => {
        if (call.media) ask(call, 'INVITE', audioDescription(host, call.media.port, direction))
      }),
    async close() {
      isClosed = true
      for (const call of calls.values()) finish(call)
      repeats.stopAll()
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}
