import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import { type MediaEnd, tonePacket } from '../../sandbox/carriers/media.ts'
import {
  audioDescription,
  formatMessage,
  headerOf,
  headersOf,
  mediaTarget,
  parseMessage,
  routesOf,
  type SipMessage,
  uriOf,
} from '../../sandbox/carriers/sip-message.ts'
import { type Account, challengeOf, digestFor } from './digest.ts'
import { eventually } from './eventually.ts'
import { openLine, type Transport } from './line.ts'

export type { Account, Transport }

type Headers = [string, string][]
/** Forged parts of an in-dialog request. */
export type Forged = {
  uri?: string
  routes?: readonly string[]
  cseq?: number
  From?: string
  To?: string
  Contact?: string
}

/** A minimal phone for features that SIPp lacks: TLS, SHA-256, odd headers, counted RTP packets. */
export type Phone = Awaited<ReturnType<typeof createPhone>>
export type PhoneCall = Awaited<ReturnType<Phone['call']>>

type PhoneOptions = {
  switchPort: number
  switchHost?: string
  /** Source address in 127.0.0.0/8, for UDP. */
  from?: string
  transport?: Transport
  account?: Account
  /** Sends no retransmissions, for tests that expect no reply. */
  isTerse?: boolean
  /** Address in Contact and Via instead of its own, as behind NAT. */
  claims?: string
  /** Path of the WebSocket. */
  path?: string
  /** Handles requests outside the phone's own calls; without it they get a 200. */
  onRequest?: (request: SipMessage) => void
}

export async function createPhone(options: PhoneOptions) {
  const { switchPort, switchHost = '127.0.0.1', transport = 'udp', account } = options
  const messages: SipMessage[] = []
  const open: { close(): void }[] = []
  const answerers = new Map<string, (request: SipMessage) => void>()
  const line = await openLine(
    { transport, host: switchHost, port: switchPort, from: options.from, path: options.path },
    (text) => {
      const message = parseMessage(text)
      if (!message) return
      messages.push(message)
      if (message.method) (answerers.get(headerOf(message, 'call-id')) ?? options.onRequest ?? reply)(message)
    },
  )
  const bracket = (host: string) => (host.includes(':') ? `[${host}]` : host)
  const own = options.claims ?? `${bracket(line.host)}:${line.port}`
  const server = `${bracket(switchHost)}:${switchPort}`
  const contact = `<sip:${userPart(account?.user ?? 'phone')}@${own};transport=${transport}>`
  /** The last CSeq by Call-ID. */
  const cseqs = new Map<string, number>()
  let lastRequest = ''
  let isClosed = false
  /** A reply may arrive after the test has closed the phone. */
  const send = (text: string): void => {
    if (!isClosed) line.send(text)
  }
  const fresh = () => randomBytes(8).toString('hex')
  const via = (): [string, string] => [
    'Via',
    `SIP/2.0/${transport.toUpperCase()} ${own};rport;branch=z9hG4bK${fresh()}`,
  ]

  function reply(request: SipMessage, body = '', status = 200, reason = 'OK'): void {
    if (request.method === 'ACK') return
    const copied = ['Via', 'Record-Route', 'From', 'To', 'Call-ID', 'CSeq'].flatMap((name) =>
      headersOf(request, name).map((value): [string, string] => [name, value]),
    )
    const headers: Headers = [...copied, ['Contact', contact]]
    if (body) headers.push(['Content-Type', 'application/sdp'])
    send(formatMessage({ status, reason, headers, body }))
  }

  const responsesTo = (callId: string, cseq: string) =>
    messages.filter(
      (message) =>
        message.status !== undefined &&
        headerOf(message, 'call-id') === callId &&
        headerOf(message, 'cseq') === cseq,
    )
  const finalTo = (callId: string, cseq: string) =>
    eventually(
      () => responsesTo(callId, cseq).find(({ status = 0 }) => status >= 200),
      `final answer to ${cseq}`,
    )

  /** Retransmits a request over UDP until a reply arrives. */
  function sendAgain(text: string, isAnswered: () => boolean, waitMs = 500): void {
    send(text)
    if (transport !== 'udp' || options.isTerse) return
    const timer = setTimeout(() => {
      if (!isClosed && !isAnswered() && waitMs < 8_000) sendAgain(text, isAnswered, waitMs * 2)
    }, waitMs)
    timer.unref()
  }

  /** Sends a request, and again with a digest when challenged. Returns the final response. */
  async function ask(method: string, uri: string, headers: Headers, body = '', callId = fresh()) {
    const before = cseqs.get(callId) ?? 0
    for (let cseq = before + 1; ; cseq++) {
      cseqs.set(callId, cseq)
      const asked = `${cseq} ${method}`
      lastRequest = formatMessage({ method, uri, headers: [via(), ...headers, ['CSeq', asked]], body })
      sendAgain(lastRequest, () => responsesTo(callId, asked).length > 0)
      const answer = await finalTo(callId, asked)
      const challenge = challengeOf(answer)
      if (cseq > before + 1 || !account || !challenge) return answer
      const proof = digestFor(account, challenge, method, uri)
      headers = [...headers, [answer.status === 401 ? 'Authorization' : 'Proxy-Authorization', proof]]
      if (method === 'INVITE') acknowledgeRefusal(uri, headers, asked, answer)
    }
  }

  function acknowledgeRefusal(uri: string, headers: Headers, asked: string, answer: SipMessage): void {
    send(
      formatMessage({
        method: 'ACK',
        uri,
        headers: [
          ['Via', headerOf(answer, 'via')],
          ...headers.filter(([name]) => name === 'From' || name === 'Call-ID' || name === 'Max-Forwards'),
          ['To', headerOf(answer, 'to')],
          ['CSeq', asked.replace('INVITE', 'ACK')],
        ],
        body: '',
      }),
    )
  }

  const basics = (to: string, callId: string): Headers => [
    ['From', `"Claimed Name" <sip:${userPart(account?.user ?? 'phone')}@${server}>;tag=${fresh()}`],
    ['To', `<sip:${userPart(to)}@${server}>`],
    ['Call-ID', callId],
    ['Contact', contact],
    ['Max-Forwards', '70'],
    ['User-Agent', 'Test Phone 1.0'],
  ]

  const register = (expires = 300) => registerAs(contact, expires)

  function registerAs(contacts: string, expires: number, userAgent = 'Test Phone 1.0'): Promise<SipMessage> {
    const callId = fresh()
    const own: Record<string, string> = { Contact: contacts, 'User-Agent': userAgent }
    const headers = basics(account?.user ?? 'phone', callId).map(([name, value]): [string, string] => [
      name,
      own[name] ?? value,
    ])
    return ask('REGISTER', `sip:${server}`, [...headers, ['Expires', String(expires)]], '', callId)
  }

  /** Starts a call and returns immediately. */
  async function call(number: string, extra: Headers = [], described = audioDescription, callId = fresh()) {
    const speech = await openSpeech(line.host)
    open.push(speech)
    const uri = `sip:${number}@${server}`
    const headers: Headers = [
      ...basics(number, callId).filter(([name]) => !extra.some(([given]) => given === name)),
      ...extra,
      ['Allow', 'INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE, PRACK'],
      ['Content-Type', 'application/sdp'],
    ]
    const received = () => messages.filter((message) => headerOf(message, 'call-id') === callId)
    const requests = (method: string) => received().filter((message) => message.method === method)
    const provisional = (status: number) => received().find((message) => message.status === status)
    const offer = described(line.host, speech.port)
    let dialog: { target: string; routes: string[]; to: string } | null = null
    let cseq = 10
    const isOwnOffer = described !== audioDescription && offer !== ''
    const answerTo = ({ body }: SipMessage) =>
      isOwnOffer ? offer : audioDescription(line.host, speech.port, answeredDirection(body))
    let isRefusing = false
    answerers.set(callId, (request) => {
      if (isRefusing && request.method === 'INVITE') reply(request, '', 488, 'Not Acceptable Here')
      else reply(request, request.method === 'INVITE' ? answerTo(request) : '')
    })
    const ended = ask('INVITE', uri, headers, offer, callId).then((answer) => {
      if (answer.status !== 200) {
        acknowledgeRefusal(uri, headers, headerOf(answer, 'cseq'), answer)
        return answer
      }
      adopt(answer)
      speech.aim(mediaTarget(answer.body))
      // Without an SDP offer in the INVITE, the ACK carries the SDP answer.
      const accepted = offer === '' ? audioDescription(line.host, speech.port) : ''
      inside('ACK', Number.parseInt(headerOf(answer, 'cseq'), 10), accepted)
      return answer
    })

    /** Takes the dialog's target and route set from this response. */
    function adopt(answer: SipMessage): void {
      dialog = {
        target: uriOf(headerOf(answer, 'contact')),
        routes: routesOf(answer, 'record-route').reverse(),
        to: headerOf(answer, 'to'),
      }
    }

    function inside(
      method: string,
      number: number,
      body = '',
      more: Headers = [],
      forged: Forged = {},
    ): void {
      if (!dialog) throw new Error('the call is not answered')
      const own = headers.filter(([name]) => ['From', 'Call-ID', 'Contact', 'Max-Forwards'].includes(name))
      const asked = `${forged.cseq ?? number} ${method}`
      const text = formatMessage({
        method,
        uri: forged.uri ?? dialog.target,
        headers: [
          via(),
          ...(forged.routes ?? dialog.routes).map((value): [string, string] => ['Route', value]),
          ...own.map(([name, value]): [string, string] => [
            name,
            forged[name as 'From' | 'Contact'] ?? value,
          ]),
          ['To', forged.To ?? dialog.to],
          ['CSeq', asked],
          ...(body ? [['Content-Type', 'application/sdp'] as [string, string]] : []),
          ...more,
        ],
        body,
      })
      if (method === 'ACK' || Object.keys(forged).length > 0) send(text)
      else sendAgain(text, () => responsesTo(callId, asked).length > 0)
    }
    /** Sends a forged in-dialog request without waiting for a reply. */
    function forge(method: string, forged: Forged, more: Headers = [], body = ''): void {
      cseq += 1
      inside(method, cseq, body, more, forged)
    }
    async function request(method: string, body = '', more: Headers = []): Promise<SipMessage> {
      cseq += 1
      inside(method, cseq, body, more)
      const answer = await finalTo(callId, `${cseq} ${method}`)
      if (method === 'INVITE' && answer.status === 200) inside('ACK', cseq)
      return answer
    }
    return {
      callId,
      /** The final response to the INVITE. */
      ended,
      speech,
      received,
      requests,
      request,
      /** Whether a re-INVITE from now on gets a 488. */
      refuseOffers: (isWanted: boolean) => {
        isRefusing = isWanted
      },
      forge,
      /** The dialog's identifiers, which a hostile phone may swap. */
      names: () => ({
        from: headers.find(([name]) => name === 'From')?.[1] ?? '',
        to: dialog?.to ?? '',
        target: dialog?.target ?? '',
        routes: dialog?.routes ?? [],
      }),
      adopt,
      offer,
      rings: (status = 180) => eventually(() => provisional(status), `${status}`),
      hangUp: () => request('BYE'),
      requested: (method: string) => eventually(() => requests(method)[0], `${method} to the phone`),
      isHungUp: () => eventually(() => requests('BYE')[0], 'BYE to the phone'),
      cancel() {
        const sent = received().find(({ status }) => status === 180 || status === 183 || status === 100)
        send(
          formatMessage({
            method: 'CANCEL',
            uri,
            headers: [
              ['Via', sent ? headerOf(sent, 'via').replace(/;(received|rport=)[^;]*/g, '') : ''],
              ...headers.filter(([name]) => ['From', 'To', 'Call-ID', 'Max-Forwards'].includes(name)),
              ['CSeq', sent ? headerOf(sent, 'cseq').replace('INVITE', 'CANCEL') : ''],
            ],
            body: '',
          }),
        )
      },
    }
  }

  return {
    line,
    messages,
    lastRequest: () => lastRequest,
    send,
    register,
    registerAs,
    call,
    ask,
    basics,
    server,
    close() {
      isClosed = true
      for (const thing of open) thing.close()
      line.close()
    },
  }
}

/** A username may contain `@`, which a SIP URI escapes. */
const userPart = (user: string): string => user.replaceAll('@', '%40')

const answeredDirection = (offer: string): string =>
  offer.includes('a=sendonly') ? 'recvonly' : offer.includes('a=inactive') ? 'inactive' : 'sendrecv'

type Speech = Omit<MediaEnd, 'press'> & {
  aim(target: { address: string; port: number } | null): void
  say(packets: number): void
  /** Sends packets until the first one is heard, and then checks that all of these are heard. */
  echoes(packets: number): Promise<void>
}

/** Sends RTP packets and counts the echoed ones. */
async function openSpeech(host: string): Promise<Speech> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  await new Promise<void>((resolve) => socket.bind(0, host, resolve))
  let heard = 0
  let to: { address: string; port: number } | null = null
  socket.on('message', () => {
    heard += 1
  })
  socket.on('error', () => {})
  let sent = 0
  function say(packets: number): void {
    for (let i = 0; i < packets; i++) if (to) socket.send(tonePacket(sent++), to.port, to.address)
  }
  return {
    port: socket.address().port,
    heard: () => heard,
    aim(target) {
      to = target
    },
    say,
    async echoes(packets) {
      await eventually(() => {
        if (heard === 0) say(1)
        return heard > 0
      }, 'first echo')
      // Echoes of the first packets are still on their way.
      await pause(200)
      const before = heard
      say(packets)
      await eventually(() => heard >= before + packets, `echo of ${packets} packets`)
    },
    close: () => socket.close(),
  }
}
