import { randomBytes } from 'node:crypto'
import { type MediaEnd, openEcho } from '../../sandbox/carriers/media.ts'
import {
  audioDescription,
  formatMessage,
  headerOf,
  routesOf,
  type SipMessage,
  tagOf,
  uriOf,
} from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import type { Harness } from './harness.ts'
import type { Account, Forged, Phone } from './phone.ts'

/** The reaction of a phone to a call: it rings, rings and answers, or refuses with this code. */
type Habit = 'rings' | 'answers' | 'answers and hangs up' | 'silent' | number

type Options = Parameters<Harness['phone']>[0] & {
  habit?: Habit
  /** The SDP of its answer. */
  describe?: (host: string, port: number) => string
  /** The Contact of its replies instead of its own. */
  contact?: string
}

/** A phone that registers and is called. Its audio is an echo. */
export type CalledPhone = Awaited<ReturnType<typeof startCalledPhone>>

const REASONS: Record<number, string> = { 180: 'Ringing', 200: 'OK', 486: 'Busy Here', 603: 'Decline' }

export async function startCalledPhone(
  harness: Pick<Harness, 'phone' | 'keep'>,
  account: Account,
  options: Options = {},
) {
  const { habit = 'rings', describe = audioDescription, contact, ...given } = options
  const requests: SipMessage[] = []
  const tags = new Map<string, string>()
  const ends: MediaEnd[] = []
  let cseq = 100
  const phone: Phone = await harness.phone({
    account,
    ...given,
    onRequest: (request) => void handle(request),
  })
  harness.keep({ close: () => ends.forEach((end) => void end.close()) })

  const own = () => contact ?? `sip:${account.user}@${phone.line.host}:${phone.line.port}`
  const invites = () => requests.filter(({ method, headers }) => method === 'INVITE' && !isInside(headers))
  const isInside = (headers: SipMessage['headers']) =>
    headers.some(([name, value]) => name.toLowerCase() === 'to' && tagOf(value) !== '')
  const rung = (count = 1) => eventually(() => invites()[count - 1], `INVITE ${count} to ${account.user}`)

  function tagFor(request: SipMessage): string {
    const callId = headerOf(request, 'call-id')
    const tag = tags.get(callId) ?? randomBytes(6).toString('hex')
    tags.set(callId, tag)
    return tag
  }

  function reply(request: SipMessage, status: number, body = '', more: [string, string][] = []): void {
    const copied = request.headers.filter(([name]) => /^(via|record-route|from|call-id|cseq)$/i.test(name))
    const to = headerOf(request, 'to')
    const headers: [string, string][] = [
      ...copied,
      ['To', tagOf(to) ? to : `${to};tag=${tagFor(request)}`],
      ['Contact', `<${own()}>`],
      ['User-Agent', 'Called Phone 1.0'],
      ...more,
    ]
    if (body) headers.push(['Content-Type', 'application/sdp'])
    phone.line.send(formatMessage({ status, reason: REASONS[status] ?? 'Reply', headers, body }))
  }

  async function pickUp(request: SipMessage): Promise<void> {
    const end = await openEcho(phone.line.host)
    ends.push(end)
    reply(request, 200, describe(phone.line.host, end.port))
  }

  async function handle(request: SipMessage): Promise<void> {
    const isRepeated = requests.some(
      (earlier) => headerOf(earlier, 'via') === headerOf(request, 'via') && earlier.method === request.method,
    )
    if (isRepeated) return
    requests.push(request)
    if (request.method === 'ACK') return
    if (request.method === 'CANCEL') {
      reply(request, 200)
      const canceled = invites().find(
        (invite) => headerOf(invite, 'call-id') === headerOf(request, 'call-id'),
      )
      if (canceled) reply(canceled, 487)
      return
    }
    if (request.method !== 'INVITE') return reply(request, 200)
    if (isInside(request.headers)) return pickUp(request)
    if (habit === 'silent') return
    reply(request, 180)
    if (habit === 'answers') await pickUp(request)
    if (habit === 'answers and hangs up') {
      reply(request, 200)
      requestIn(request, 'BYE')
    }
    if (typeof habit === 'number') reply(request, habit)
  }

  /** Sends an in-dialog request. A hostile phone may forge parts of it. */
  async function request(method: string, forged: Forged = {}, body = ''): Promise<void> {
    requestIn(await rung(), method, forged, body)
  }

  function requestIn(invite: SipMessage, method: string, forged: Forged = {}, body = ''): void {
    cseq += 1
    const headers: [string, string][] = [
      [
        'Via',
        `SIP/2.0/UDP ${phone.line.host}:${phone.line.port};rport;branch=z9hG4bK${randomBytes(8).toString('hex')}`,
      ],
      ...(forged.routes ?? routesOf(invite, 'record-route')).map((value): [string, string] => [
        'Route',
        value,
      ]),
      ['From', forged.From ?? `${headerOf(invite, 'to')};tag=${tagFor(invite)}`],
      ['To', forged.To ?? headerOf(invite, 'from')],
      ['Call-ID', headerOf(invite, 'call-id')],
      ['CSeq', `${forged.cseq ?? cseq} ${method}`],
      ['Contact', forged.Contact ?? `<${own()}>`],
      ['Max-Forwards', '70'],
      ...(body ? [['Content-Type', 'application/sdp'] as [string, string]] : []),
    ]
    const uri = forged.uri ?? uriOf(headerOf(invite, 'contact'))
    phone.line.send(formatMessage({ method, uri, headers, body }))
  }

  const namesIn = (invite: SipMessage) => ({
    from: headerOf(invite, 'from'),
    to: `${headerOf(invite, 'to')};tag=${tagFor(invite)}`,
  })
  const repliesTo = (method: string) =>
    phone.messages.filter(
      ({ status, headers }) =>
        status !== undefined &&
        headers.some(([name, value]) => /^cseq$/i.test(name) && value.endsWith(method)),
    )

  return {
    phone,
    requests,
    received: (method: string) => requests.filter((request) => request.method === method),
    invites,
    rung,
    reply,
    ends,
    answer: async (count = 1) => pickUp(await rung(count)),
    refuse: async (code: number) => reply(await rung(), code),
    request,
    requestIn,
    repliesTo,
    names: async () => namesIn(await rung()),
    namesIn,
    hangUp: () => request('BYE'),
    gets: (method: string) =>
      eventually(() => requests.find((one) => one.method === method), `${method} to ${account.user}`),
    register: async () => {
      const { status } = await phone.register()
      if (status !== 200) throw new Error(`not registered: ${status}`)
    },
  }
}
