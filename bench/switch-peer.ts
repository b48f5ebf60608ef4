import { createServer, type Socket } from 'node:net'
import { createNetstringReader, writeNetstring } from '@trunkline/contract/netstring'
import type { FromSwitch, FromSwitchOf, ToSwitch, ToSwitchOf } from '@trunkline/contract/switch-protocol'

/**
 * A minimal switch in its own process: many callers, each with one call at a time, as fast as call control responds. It measures how
 * long a caller waits.
 */
export type Order = { kind: 'authorize' | 'whole'; run: string; users: number; callers: number; ms: number }
export type Report = { calls: number; refused: number; seconds: number; waitsMs: number[] }

type Live = { askedAt: number; user: string }

const startedAt = Date.now()
let control: Socket | null = null
let unsent: Uint8Array[] = []
let events = 0
let order: Order | null = null
let begunAt = 0
let made = 0
let done = 0
let refused = 0
let callers = 0
let waits: number[] = []
const asked = new Map<string, Live>()
/** Unacknowledged `ended` events, which a new connection gets again. */
const closing = new Map<string, FromSwitchOf<'failed'> | FromSwitchOf<'ended'>>()
const allowed = new Set<string>()
let report: Report | null = null

function say(message: FromSwitch): void {
  if (unsent.length === 0)
    setImmediate(() => {
      control?.write(Buffer.concat(unsent))
      unsent = []
    })
  unsent.push(writeNetstring(JSON.stringify(message)))
}

function next(): void {
  if (!order) return
  if (performance.now() - begunAt >= order.ms) {
    callers--
    if (callers === 0) finish(order)
    return
  }
  const call = `${order.run}-${made}`
  const user = `bench${1 + (made % order.users)}`
  made++
  asked.set(call, { askedAt: performance.now(), user })
  say({ type: 'authorize', call, at: Date.now(), user, address: '192.0.2.1', to: '+442079460123' })
}

/** Ends the calls that were only authorized, so that the next measurement starts in the same state. */
function finish(ended: Order): void {
  report = { calls: done, refused, seconds: (performance.now() - begunAt) / 1_000, waitsMs: waits }
  order = null
  for (const call of allowed) {
    const id = `e${++events}`
    close({ type: 'failed', id, call, at: Date.now(), code: 487, by: 'caller', attempts: [] })
  }
  allowed.clear()
  reportWhenClear(ended.run)
}

function close(event: FromSwitchOf<'failed'> | FromSwitchOf<'ended'>): void {
  closing.set(event.id, event)
  say(event)
}

function reportWhenClear(run: string): void {
  if (closing.size > 0) setTimeout(() => reportWhenClear(run), 20)
  else process.send?.({ run, report })
}

function handleMessage(message: ToSwitch): void {
  if (message.type === 'allow' || message.type === 'refuse') decide(message)
  else if (message.type === 'ack') {
    for (const id of message.ids) if (closing.delete(id) && order) over()
  } else if (message.type === 'list') list(message.request)
}

function decide(message: ToSwitchOf<'allow'> | ToSwitchOf<'refuse'>): void {
  const live = asked.get(message.call)
  if (!live) return
  asked.delete(message.call)
  waits.push(performance.now() - live.askedAt)
  if (message.type === 'refuse') {
    refused++
    over()
  } else if (order?.kind === 'whole') talk(message)
  else {
    allowed.add(message.call)
    over()
  }
}

/** Answered 30 seconds ago and ended now, because the talk time is not measured. */
function talk({ call, trunks }: ToSwitchOf<'allow'>): void {
  const trunk = trunks[0]?.id ?? 0
  const answeredAt = Date.now() - 31_000
  say({ type: 'answered', id: `e${++events}`, call, at: answeredAt, trunk })
  const id = `e${++events}`
  close({
    type: 'ended',
    id,
    call,
    at: answeredAt + 30_500,
    answeredAt,
    trunk,
    by: 'caller',
    attempts: [{ trunk, code: 200, reason: 'OK' }],
  })
}

function list(request: string): void {
  const calls = [...asked.keys(), ...[...closing.values()].map(({ call }) => call), ...allowed].map(
    (call) => ({
      call,
      state: 'authorized' as const,
    }),
  )
  do say({ type: 'live', request, calls: calls.splice(0, 200), last: calls.length === 0 })
  while (calls.length > 0)
}

function over(): void {
  done++
  next()
}

const server = createServer({ noDelay: true }, (socket) => {
  control = socket
  const read = createNetstringReader()
  socket.on('data', (bytes) => {
    for (const text of read(bytes)) handleMessage(JSON.parse(text))
  })
  socket.on('error', () => {})
  say({ type: 'hello', switch: 'bench', software: 'bench', startedAt, demo: false })
  for (const event of closing.values()) say(event)
})
setInterval(() => control && say({ type: 'alive', at: Date.now() }), 2_000)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})

process.on('message', (given: Order) => {
  order = given
  made = 0
  done = 0
  refused = 0
  waits = []
  begunAt = performance.now()
  callers = given.callers
  for (let caller = 0; caller < given.callers; caller++) next()
})
process.on('disconnect', () => process.exit(0))
