import { randomBytes } from 'node:crypto'
import { type MediaEnd, openEcho, openTone } from '../carriers/media.ts'
import { createRepeats } from '../carriers/repeats.ts'
import {
  answeredDirection,
  audioDescription,
  branchOf,
  formatMessage,
  headerOf,
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
} from '../carriers/sip-message.ts'
import { bindUdp } from '../shared/udp.ts'

/** A caller in the public telephone network: it dials numbers of the provider over SIP and UDP. */
export type Caller = {
  port: number
  /** Where the carrier delivers calls, as `host:port`. Null: there is no switch. */
  switchAddress(): string | null
  setSwitch(address: string | null): void
  /** Null without a switch. */
  dial(wish: DialWish): Promise<DialedCall | null>
  hangUp(id: string): boolean
  press(id: string, keys: string): boolean
  /** Newest first. */
  calls(): DialedCall[]
  close(): Promise<void>
}

export type DialWish = {
  number: string
  callerId: string
  name: string
  isWithheld: boolean
  sound: 'echo' | 'tone'
}

export type DialedCall = DialWish & {
  id: string
  state: 'calling' | 'ringing' | 'answered' | 'ended'
  /** The final reply, or how the call ended. */
  outcome: string
  code: number | null
  startedAt: number
  answeredAt: number | null
  endedAt: number | null
  /** Audio packets heard, and keys that the other side pressed. */
  heard: number
  keysHeard: string
}

type Live = {
  call: DialedCall
  invite: SipMessage
  media: MediaEnd
  /** The 2xx, or null before the answer. */
  answer: SipMessage | null
  isCancelled: boolean
  cseq: number
}

const MAX_CALLS = 200
const KEYS_TYPE = 101
const KEY_EVERY_MS = 250

export async function startCaller({ host, port }: { host: string; port: number }): Promise<Caller> {
  const socket = await bindUdp(host, port)
  const own = `${host}:${socket.address().port}`
  const contact = `<sip:network@${own}>`
  const live = new Map<string, Live>()
  let all: DialedCall[] = []
  let target: { host: string; port: number } | null = null
  let isClosed = false
  const repeats = createRepeats()

  socket.on('message', (bytes) => {
    const message = parseMessage(bytes.toString('latin1'))
    if (!message) return
    const found = live.get(headerOf(message, 'call-id'))
    if (message.method) handleRequest(message, found)
    else handleReply(message, found)
  })

  function transmit(text: string): void {
    if (!isClosed && target) socket.send(text, target.port, target.host)
  }

  function sendUntilReply(branch: string, text: string): void {
    repeats.send(branch, () => transmit(text))
  }

  async function dial(wish: DialWish): Promise<DialedCall | null> {
    if (!target) return null
    const call: DialedCall = {
      ...wish,
      id: randomBytes(6).toString('hex'),
      state: 'calling',
      outcome: '',
      code: null,
      startedAt: Date.now(),
      answeredAt: null,
      endedAt: null,
      heard: 0,
      keysHeard: '',
    }
    const media = await (wish.sound === 'tone'
      ? openTone(host, null)
      : openEcho(host, KEYS_TYPE, (digit) => {
          call.keysHeard = `${call.keysHeard}${digit}`.slice(-100)
        }))
    const branch = newBranch()
    const identity = `<sip:${wish.callerId}@${own}>`
    const name = wish.name.replace(/["\\\r\n]/g, '')
    const from = wish.isWithheld ? '"Anonymous" <sip:anonymous@anonymous.invalid>' : `"${name}" ${identity}`
    const invite: SipMessage = {
      method: 'INVITE',
      uri: `sip:${wish.number}@${target.host}:${target.port}`,
      headers: [
        ['Via', `SIP/2.0/UDP ${own};rport;branch=${branch}`],
        ['Max-Forwards', '70'],
        ['From', `${from};tag=${randomBytes(6).toString('hex')}`],
        ['To', `<sip:${wish.number}@${target.host}>`],
        ['Call-ID', `${call.id}@public-network`],
        ['CSeq', '1 INVITE'],
        ['Contact', contact],
        ['P-Asserted-Identity', identity],
        ...(wish.isWithheld ? [['Privacy', 'id'] as [string, string]] : []),
        SDP,
      ],
      body: audioDescription(host, media.port, 'sendrecv', KEYS_TYPE),
    }
    const entry: Live = { call, invite, media, answer: null, isCancelled: false, cseq: 1 }
    live.set(headerOf(invite, 'call-id'), entry)
    all = [call, ...all].slice(0, MAX_CALLS)
    sendUntilReply(branch, formatMessage(invite))
    return call
  }

  function handleReply(reply: SipMessage, entry: Live | undefined): void {
    const status = reply.status ?? 0
    repeats.stop(branchOf(headerOf(reply, 'via')))
    if (!entry || !headerOf(reply, 'cseq').endsWith('INVITE')) return
    const { call } = entry
    if (status >= 200 && status < 300) answered(entry, reply)
    else if (status >= 300) {
      transmit(formatMessage(ackOfFailure(entry.invite, reply)))
      if (call.state !== 'ended') end(entry, `${status} ${reply.reason ?? ''}`, status)
    } else {
      if (status > 100 && call.state === 'calling') call.state = 'ringing'
      if (entry.isCancelled) cancel(entry)
    }
  }

  function answered(entry: Live, reply: SipMessage): void {
    const { call } = entry
    const isFirst = entry.answer === null
    entry.answer = reply
    transmit(formatMessage(inDialog(entry, 'ACK', entry.cseq)))
    if (!isFirst) return
    entry.media.aim(mediaTarget(reply.body))
    // The answer crossed the CANCEL, or came after it.
    if (call.state === 'ended' || entry.isCancelled) {
      bye(entry)
      if (call.state !== 'ended') end(entry, 'The caller hung up', 200)
      return
    }
    call.state = 'answered'
    call.code = 200
    call.answeredAt = Date.now()
  }

  /** An in-dialog request, along the route set of the answer. */
  function inDialog({ invite, answer }: Live, method: string, cseq: number): SipMessage {
    const routes = answer ? routesOf(answer, 'record-route').reverse() : []
    return {
      method,
      uri: uriOf(headerOf(answer ?? invite, 'contact')),
      headers: [
        ['Via', `SIP/2.0/UDP ${own};rport;branch=${newBranch()}`],
        ['Max-Forwards', '70'],
        ...routes.map((value): [string, string] => ['Route', value]),
        ['From', headerOf(invite, 'from')],
        ['To', headerOf(answer ?? invite, 'to')],
        ['Call-ID', headerOf(invite, 'call-id')],
        ['CSeq', `${cseq} ${method}`],
        ['Contact', contact],
      ],
      body: '',
    }
  }

  function bye(entry: Live): void {
    entry.cseq += 1
    const request = inDialog(entry, 'BYE', entry.cseq)
    sendUntilReply(branchOf(headerOf(request, 'via')), formatMessage(request))
  }

  /** CANCEL and the ACK of a failure belong to the transaction of the INVITE. */
  function cancel({ invite }: Live): void {
    transmit(formatMessage({ ...ofTransaction(invite, 'CANCEL'), body: '' }))
  }

  const ackOfFailure = (invite: SipMessage, reply: SipMessage): SipMessage => ({
    ...ofTransaction(invite, 'ACK', headerOf(reply, 'to')),
    body: '',
  })

  function ofTransaction(invite: SipMessage, method: string, to = headerOf(invite, 'to')): SipMessage {
    return {
      method,
      uri: invite.uri ?? '',
      headers: [
        ['Via', headerOf(invite, 'via')],
        ['Max-Forwards', '70'],
        ['From', headerOf(invite, 'from')],
        ['To', to],
        ['Call-ID', headerOf(invite, 'call-id')],
        ['CSeq', `1 ${method}`],
      ],
      body: '',
    }
  }

  function handleRequest(request: SipMessage, entry: Live | undefined): void {
    if (request.method === 'ACK') return
    const isOurs = entry?.answer && tagOf(headerOf(request, 'to')) === tagOf(headerOf(entry.invite, 'from'))
    if (!entry || !isOurs) answerTo(request, 481, 'Call/Transaction Does Not Exist')
    else if (request.method === 'BYE') {
      answerTo(request, 200, 'OK')
      if (entry.call.state === 'answered') end(entry, 'The called party hung up', 200)
    } else if (request.method === 'INVITE' || request.method === 'UPDATE')
      answerTo(request, 200, 'OK', descriptionFor(entry, request))
    else if (request.method === 'INFO' || request.method === 'OPTIONS') answerTo(request, 200, 'OK')
    else answerTo(request, 405, 'Method Not Allowed')
  }

  function descriptionFor({ media }: Live, request: SipMessage): string {
    const { body: offer } = request
    if (offer === '') return ''
    media.aim(mediaTarget(offer))
    return audioDescription(host, media.port, answeredDirection(offer), keysOffered(offer))
  }

  function answerTo(request: SipMessage, status: number, reason: string, body = ''): void {
    const to = headerOf(request, 'to')
    transmit(formatMessage(replyTo(request, { status, reason, to, contact, body })))
  }

  function end(entry: Live, outcome: string, code: number): void {
    const { call, media } = entry
    call.heard = media.heard()
    call.state = 'ended'
    call.outcome = outcome
    call.code = code
    call.endedAt = Date.now()
    media.close()
    // Late retransmissions of the answer still get their ACK.
    setTimeout(() => live.delete(headerOf(entry.invite, 'call-id')), 32_000).unref()
  }

  const entryOf = (id: string) => [...live.values()].find(({ call }) => call.id === id)

  return {
    port: socket.address().port,
    switchAddress: () => target && `${target.host}:${target.port}`,
    setSwitch(address) {
      const [, at = '', toPort = ''] = /^(.*):(\d+)$/.exec(address ?? '') ?? []
      target = address === null ? null : { host: at, port: Number(toPort) }
    },
    dial,
    hangUp(id) {
      const entry = entryOf(id)
      if (!entry || entry.call.state === 'ended') return false
      if (entry.answer) {
        bye(entry)
        end(entry, 'The caller hung up', 200)
        return true
      }
      // A request may be cancelled after its first provisional reply; until then the mark waits for it.
      entry.isCancelled = true
      if (entry.call.state === 'ringing') cancel(entry)
      return true
    },
    press(id, keys) {
      const entry = entryOf(id)
      if (entry?.call.state !== 'answered') return false
      const type = keysOffered(entry.answer?.body ?? '') ?? KEYS_TYPE
      // One after the other, so that two keys never share a moment if the machine stops.
      const pressAll = ([key, ...others]: string[]): void => {
        if (key === undefined) return
        entry.media.press(key, type)
        setTimeout(() => pressAll(others), KEY_EVERY_MS).unref()
      }
      pressAll([...keys])
      return true
    },
    calls() {
      for (const { call, media } of live.values()) if (call.state !== 'ended') call.heard = media.heard()
      return all
    },
    async close() {
      isClosed = true
      for (const { media } of live.values()) media.close()
      repeats.stopAll()
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}
