import { createSocket } from 'node:dgram'
import { createLateness } from './lateness.ts'

/**
 * The baseline: as many sockets as calls, each sending 172 bytes every 20 ms and receiving the same, without SIP, sounds or keys.
 * The lateness is that of the last packet of each slot of 5 ms, as in the endpoint.
 */
const calls = Number(process.env.CALLS)
const SLOTS = 4
const SLOT_MS = 5
/** After a longer stall the endpoint skips packets, and so does the baseline. */
const MAX_BEHIND_MS = 200
const lateness = createLateness()

const slots = await Promise.all(
  Array.from({ length: SLOTS }, (_, slot) =>
    Promise.all(Array.from({ length: Math.ceil((calls - slot) / SLOTS) }, open)),
  ),
)

async function open() {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  socket.on('message', () => {})
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => socket.connect(Number(process.env.ECHO_PORT), '127.0.0.1', resolve))
  return { socket, packet: Buffer.alloc(172, 0xd5) }
}

const startedAt = performance.now()
let next = 0
const deadline = () => startedAt + next * SLOT_MS

function run(): void {
  const now = performance.now()
  const isStalled = now - deadline() > MAX_BEHIND_MS
  while (isStalled && now - deadline() > SLOTS * SLOT_MS) {
    lateness.note(now - deadline(), slots[next % SLOTS]?.length ?? 0)
    next += 1
  }
  while (performance.now() >= deadline()) {
    const slot = slots[next % SLOTS] ?? []
    for (const { socket, packet } of slot) socket.send(packet)
    if (slot.length > 0) lateness.note(performance.now() - deadline(), slot.length)
    next += 1
  }
  setTimeout(run, Math.max(0, deadline() - performance.now()))
}
run()

process.on('message', (question) => {
  if (question === 'reset') lateness.reset()
  else process.send?.(lateness.summary())
})
process.send?.('ready')
