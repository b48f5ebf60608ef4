import { setTimeout as pause } from 'node:timers/promises'
import { dollars } from '@trunkline/domain/money'
import { defaultLimits } from '../launcher/switch-settings.ts'
import { startCarrier } from '../sandbox/carriers/carrier.ts'
import {
  audioDescription,
  formatMessage,
  headerOf,
  headersOf,
  parseMessage,
  type SipMessage,
} from '../sandbox/carriers/sip-message.ts'
import { bindUdp } from '../sandbox/shared/udp.ts'
import { startProvider } from '../sip/test/e2e/provider.ts'
import { nextPort } from '../sip/test/harness.ts'
import { type Account, createPhone } from '../sip/test/phone.ts'
import { startBare } from './bare-relay.ts'

/**
 * The time from a carrier's INVITE to the INVITE at the registered phone: with call control, and with a plain Kamailio that only looks
 * up the location. Both in one run. See README.md.
 */

const PER_SECOND = 50
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const AIM_MS = 100
const NUMBER = '442079460123'
const CARRIER = '127.0.0.30'
/** A customer's PBX, and a number outside. */
const PBX = '127.0.0.31'
const OUTSIDE = '442079460958'
/** Calls in progress while the highest rate is measured. */
const AT_ONCE = 50

/** The first caller's number. Each call has its own, by which its INVITE is recognized at the phone. */
const FIRST_CALLER = 12_025_550_000

/** A phone that is always busy, and notes when each INVITE arrives. */
async function startPhone(switchPort: number, account: Account) {
  const arrivals = new Map<number, number>()
  const phone = await createPhone({
    switchPort,
    account,
    onRequest(request) {
      if (request.method === 'ACK') return
      if (request.method === 'INVITE') arrivals.set(callerOf(request), performance.now())
      const status = request.method === 'INVITE' ? 486 : 200
      phone.line.send(formatMessage(replyTo(request, status)))
    },
  })
  const { status } = await phone.register()
  if (status !== 200) throw new Error(`the phone cannot register: ${status}`)
  return { arrivals, close: () => phone.close() }
}

const callerOf = (invite: SipMessage): number => Number(/sip:\+?(\d+)@/.exec(headerOf(invite, 'from'))?.[1])

function replyTo(request: SipMessage, status: number): SipMessage {
  const copied = ['Via', 'Record-Route', 'From', 'To', 'Call-ID', 'CSeq'].flatMap((name) =>
    headersOf(request, name).map((value): [string, string] => [
      name,
      name === 'To' ? `${value};tag=busy` : value,
    ]),
  )
  return { status, reason: status === 200 ? 'OK' : 'Busy Here', headers: copied, body: '' }
}

/** Sends INVITEs from an address and acknowledges the final replies. */
async function openSender(
  address: string,
  { switchPort, number }: { switchPort: number; number: string },
  onFinal: (status: number) => void = () => {},
) {
  const socket = await bindUdp(address, 0)
  const own = `${address}:${socket.address().port}`
  const send = (text: string) => socket.send(text, switchPort, '127.0.0.1')
  const headersFor = (
    caller: number,
    method: string,
    to = `<sip:${number}@127.0.0.1>`,
  ): [string, string][] => [
    ['Via', `SIP/2.0/UDP ${own};rport;branch=z9hG4bKbench${caller}`],
    ['Max-Forwards', '70'],
    ['From', `<sip:${caller}@${address}>;tag=${caller}`],
    ['To', to],
    ['Call-ID', `bench-${own}-${caller}`],
    ['CSeq', `1 ${method}`],
    ['Contact', `<sip:carrier@${own}>`],
  ]
  const uri = `sip:${number}@127.0.0.1:${switchPort}`
  const isDone = new Set<number>()
  socket.on('message', (bytes) => {
    const reply = parseMessage(bytes.toString('latin1'))
    if (!reply?.status || reply.status < 200) return
    const caller = callerOf(reply)
    send(
      formatMessage({
        method: 'ACK',
        uri,
        headers: headersFor(caller, 'ACK', headerOf(reply, 'to')),
        body: '',
      }),
    )
    if (isDone.has(caller)) return
    isDone.add(caller)
    onFinal(reply.status)
  })
  const body = audioDescription(address, 40_000)
  return {
    invite(caller: number): void {
      const headers: [string, string][] = [
        ...headersFor(caller, 'INVITE'),
        ['Content-Type', 'application/sdp'],
      ]
      send(formatMessage({ method: 'INVITE', uri, headers, body }))
    },
    close: () => socket.close(),
  }
}

/** Sends calls at a steady rate and returns when each was sent. */
async function sendCalls(switchPort: number): Promise<Map<number, number>> {
  const sender = await openSender(CARRIER, { switchPort, number: NUMBER })
  const sent = new Map<number, number>()
  const began = performance.now()
  for (let n = 0; n < PER_SECOND * SECONDS; n++) {
    await pause(Math.max(0, began + (n * 1_000) / PER_SECOND - performance.now()))
    const caller = FIRST_CALLER + n
    sent.set(caller, performance.now())
    sender.invite(caller)
  }
  await pause(3_000)
  sender.close()
  return sent
}

/** Calls per second that end with 486, if a new call starts whenever one has ended. */
async function highestRate(
  what: string,
  address: string,
  to: { switchPort: number; number: string },
): Promise<number> {
  let next = FIRST_CALLER + 1_000_000
  const statuses = new Map<number, number>()
  let isOver = false
  const sender = await openSender(address, to, (status) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (!isOver) sender.invite(next++)
  })
  const began = performance.now()
  for (let n = 0; n < AT_ONCE; n++) sender.invite(next++)
  await pause(SECONDS * 1_000)
  isOver = true
  const rate = ((statuses.get(486) ?? 0) * 1_000) / (performance.now() - began)
  await pause(1_000)
  sender.close()
  const others = [...statuses].filter(([status]) => status !== 486)
  console.log(
    `${what.padEnd(46)} ${rate.toFixed(0)} calls/s${others.map(([status, count]) => `, ${count} with ${status}`).join('')}`,
  )
  return rate
}

type BusyPhone = Awaited<ReturnType<typeof startPhone>>
type Times = { p50: number; p99: number; lost: number }

async function measured(what: string, switchPort: number, phone: BusyPhone): Promise<Times> {
  const sent = await sendCalls(switchPort)
  const times = [...sent]
    .flatMap(([caller, at]) => {
      const arrived = phone.arrivals.get(caller)
      return arrived === undefined ? [] : arrived - at
    })
    .sort((left, right) => left - right)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  const result = { p50: at(0.5), p99: at(0.99), lost: sent.size - times.length }
  console.log(
    `${what.padEnd(46)} p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, lost ${result.lost} of ${sent.size}`,
  )
  return result
}

console.log(
  `A carrier's INVITE until it arrives at the registered phone, ${PER_SECOND} calls/s, ${SECONDS} s\n`,
)
const provider = await startProvider({}, { limits: { ...defaultLimits, knownPerSecond: 1_000_000 } })
const busy = await startCarrier({ behaviorOf: () => ({ kind: 'refuse', code: 486, reason: 'Busy Here' }) })
let ours: Times
try {
  const customer = await provider.newCustomer({ balance: dollars(1_000) })
  await provider.guard(customer.id, { max_concurrent_calls: 10_000, max_calls_per_second: 1_000 })
  const trunkId = await provider.newTrunk(busy, { incoming_sources: [CARRIER] })
  await provider.newNumber(customer, NUMBER, { trunk_id: trunkId, max_calls: 1_000 })
  await provider.settle()
  const phone = await startPhone(provider.sipPort, customer.account)
  ours = await measured('call control, hold, record', provider.sipPort, phone)

  await provider.setAddress(customer, PBX, 'proven')
  await provider.settle()
  const to = { switchPort: provider.sipPort }
  const incoming = await highestRate('incoming calls, busy phone', CARRIER, { ...to, number: NUMBER })
  const outgoing = await highestRate('outgoing calls, busy number', PBX, { ...to, number: OUTSIDE })
  console.log(`${(incoming / outgoing).toFixed(2)} incoming calls per outgoing one\n`)
  await phone.close()
} finally {
  await provider.close()
  await busy.close()
}
const port = nextPort()
const bare = { user: NUMBER, password: 'not used' }
const baseline = await startBare('location', port, 0, bare)
try {
  const phone = await startPhone(port, bare)
  const plain = await measured('Kamailio with a location lookup', port, phone)
  await phone.close()
  const apart = ours.p99 - plain.p99
  console.log(
    `\np99 ${apart.toFixed(1)} ms apart (aim: at most ${AIM_MS} ms) ${apart <= AIM_MS ? 'reached' : 'NOT reached'}`,
  )
} finally {
  await baseline.close()
}
