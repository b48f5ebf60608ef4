import type { CapturedMessage, Endpoint } from './direction.ts'
import { readHead, type SipHead } from './message.ts'

/** A carrier that the switch has tried, in order. `at` is the start of the attempt in milliseconds since 1970. */
export type TriedCarrier = { trunk: number; name: string; at: number | null }

export type LadderColumn = {
  kind: 'phone' | 'switch' | 'carrier'
  name: string
  /** `address:port` of the first message. Null for the switch. */
  address: string | null
}

/** An arrow between two columns. */
export type LadderStep = {
  at: number
  /** Indexes of columns. */
  from: number
  to: number
  firstLine: string
  method: string
  status: number | null
  isRetransmission: boolean
  transport: string
  peer: string
  text: string
}

const PHONE = 0
const SWITCH = 1

/** The ladder of a call: columns for phone, switch and each carrier, and one step for each message in order of time. */
export function layOut(
  messages: readonly CapturedMessage[],
  tried: readonly TriedCarrier[],
): { columns: LadderColumn[]; steps: LadderStep[] } {
  const columns: LadderColumn[] = [
    { kind: 'phone', name: 'Phone', address: null },
    { kind: 'switch', name: 'Switch', address: null },
  ]
  const ordered = inOrder(messages)
  const carriers = createCarriers(columns, tried, attemptsInOrder(ordered, tried))
  const seen = new Set<string>()
  const steps: LadderStep[] = []
  for (const read of ordered) {
    const { message, head } = read
    const column = message.side === 'phone' ? PHONE : carriers.columnOf(read)
    const shown = columns[column]
    if (shown && shown.address === null) shown.address = format(message.peer)
    const same = [message.isInbound, column, head.firstLine, head.cseq, head.branch, head.toTag].join(' ')
    steps.push({
      at: message.at,
      from: message.isInbound ? column : SWITCH,
      to: message.isInbound ? SWITCH : column,
      firstLine: head.firstLine,
      method: head.method,
      status: head.status,
      isRetransmission: seen.has(same),
      transport: message.transport,
      peer: format(message.peer),
      text: message.text,
    })
    seen.add(same)
  }
  return { columns, steps }
}

type Read = { message: CapturedMessage; head: SipHead }

/**
 * Messages in order of time. The switch notes a message after it was sent, so a fast reply can have an earlier time than its request. Then
 * the request comes first and gets the time of the reply.
 */
function inOrder(messages: readonly CapturedMessage[]): Read[] {
  const left = messages
    .map((message) => ({ message, head: readHead(message.text) }))
    .filter((one): one is Read => one.head !== null)
    .sort((one, other) => one.message.at - other.message.at)
  const ordered: Read[] = []
  function add(next: Read): void {
    const isKnown = ordered.some((one) => isCause(one, next))
    const late = isKnown ? -1 : left.findIndex((one) => isCause(one, next))
    const [cause] = late < 0 ? [] : left.splice(late, 1)
    if (cause) add({ ...cause, message: { ...cause.message, at: next.message.at } })
    ordered.push(next)
  }
  for (let next = left.shift(); next; next = left.shift()) add(next)
  return ordered
}

/** Whether one message must come before the other: a request before its reply, a final reply before its ACK. */
function isCause(cause: Read, effect: Read): boolean {
  if (cause.message.isInbound === effect.message.isInbound || cause.message.side !== effect.message.side)
    return false
  if (!effect.head.isRequest)
    return (
      cause.head.isRequest && cause.head.branch === effect.head.branch && cause.head.cseq === effect.head.cseq
    )
  const isFinal = (cause.head.status ?? 0) >= 200
  return (
    effect.head.method === 'ACK' && isFinal && cause.head.cseq === effect.head.cseq.replace('ACK', 'INVITE')
  )
}

/** An INVITE that the switch sent to a carrier to start a call. */
const startsLeg = ({ message, head }: Read): boolean =>
  message.side === 'carrier' &&
  !message.isInbound &&
  head.isRequest &&
  head.method === 'INVITE' &&
  head.toTag === ''

const CHALLENGES = [401, 407]

/**
 * The attempt of each INVITE by its branch, if there are as many attempts as carriers with an INVITE. The order is certain, but the times
 * are not: the switch notes an INVITE after it was sent, which can be after the start of the next attempt. An INVITE that follows a
 * challenge of the same carrier belongs to the same attempt.
 */
function attemptsInOrder(
  ordered: readonly Read[],
  tried: readonly TriedCarrier[],
): Map<string, TriedCarrier> {
  const challenged = new Set(
    ordered.flatMap(({ head }) => (CHALLENGES.includes(head.status ?? 0) ? [head.branch] : [])),
  )
  const legs: { peer: string; branches: string[] }[] = []
  const known = new Set<string>()
  for (const read of ordered) {
    const { branch } = read.head
    if (!startsLeg(read) || known.has(branch)) continue
    known.add(branch)
    const peer = format(read.message.peer)
    const last = legs.at(-1)
    if (last && last.peer === peer && challenged.has(last.branches.at(-1) ?? '')) last.branches.push(branch)
    else legs.push({ peer, branches: [branch] })
  }
  if (legs.length !== tried.length) return new Map()
  return new Map(
    legs.flatMap(({ branches }, position) => {
      const attempt = tried[position]
      return attempt ? branches.map((branch) => [branch, attempt] as const) : []
    }),
  )
}

/**
 * Assigns carrier messages to columns. An INVITE belongs to the attempt of its branch, or else to the attempt that was running when it was
 * sent. Its branch identifies replies, ACK and CANCEL; later requests are found by the address of the carrier.
 */
function createCarriers(
  columns: LadderColumn[],
  tried: readonly TriedCarrier[],
  byOrder: ReadonlyMap<string, TriedCarrier>,
) {
  const byBranch = new Map<string, number>()
  const byPeer = new Map<string, number>()
  const byTrunk = new Map<number, number>()
  let latest: number | null = null

  function add(name: string): number {
    columns.push({ kind: 'carrier', name, address: null })
    return columns.length - 1
  }

  function columnOfInvite(at: number, peer: string, branch: string): number {
    const attempt = byOrder.get(branch) ?? tried.findLast((one) => one.at !== null && one.at <= at)
    if (!attempt) return byPeer.get(peer) ?? add(`Carrier ${columns.length - SWITCH}`)
    const known = byTrunk.get(attempt.trunk)
    if (known !== undefined) return known
    const column = add(attempt.name || `Trunk ${attempt.trunk}`)
    byTrunk.set(attempt.trunk, column)
    return column
  }

  return {
    columnOf(read: Read): number {
      const { message, head } = read
      const { at, peer } = message
      const address = format(peer)
      const known = byBranch.get(head.branch)
      if (known !== undefined) return known
      const column = startsLeg(read)
        ? columnOfInvite(at, address, head.branch)
        : (byPeer.get(address) ?? latest ?? columnOfInvite(at, address, head.branch))
      if (head.branch !== '') byBranch.set(head.branch, column)
      byPeer.set(address, column)
      latest = column
      return column
    },
  }
}

const format = ({ address, port }: Endpoint): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
