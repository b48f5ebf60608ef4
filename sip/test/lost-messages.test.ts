import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createNetstringReader, writeNetstring } from '../../contract/netstring.ts'
import { type FromSwitch, messagesIn, numbered } from '../../contract/switch-protocol.ts'
import { createSwitchConnector } from '../../server/src/adapters/switch-connection.ts'
import type { SwitchLink } from '../../server/src/platform/switch-link.ts'
import { eventually } from './eventually.ts'
import { type Harness, startHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.close())

/** Long enough for evapi to read the first piece alone, unless the machine is very busy. */
const BETWEEN_PIECES_MS = 300
const colon = 0x3a

/** A connection that numbers its messages and can send one in two pieces. */
function createSender() {
  const socket = connect(harness.running.controlPort, '127.0.0.1').setNoDelay()
  onTestFinished(() => void socket.destroy())
  const received: FromSwitch[] = []
  const read = createNetstringReader()
  socket.on('data', (bytes) => {
    for (const text of read(bytes)) received.push(...(messagesIn(JSON.parse(text)) as FromSwitch[]))
  })
  return {
    received,
    send: (number: number, request: string) => socket.write(listRequest(number, request)),
    async sendInTwo(bytes: Uint8Array) {
      socket.write(bytes.subarray(0, 1))
      await pause(BETWEEN_PIECES_MS)
      socket.write(bytes.subarray(1))
    },
    hasReply: (request: string) =>
      received.some((message) => message.type === 'live' && message.request === request),
    missed: () => received.flatMap((message) => (message.type === 'missed' ? [message.after] : [])),
  }
}

const listRequest = (number: number, request: string) =>
  writeNetstring(numbered({ type: 'list', request }, number))

it('the switch reports a lost message and handles no later one until it is repeated', async () => {
  const { send, sendInTwo, hasReply, missed } = createSender()
  let number = 0
  while (number < 50) {
    send(++number, `request ${number}`)
    await eventually(() => hasReply(`request ${number}`), 'list')
  }
  expect(missed()).toEqual([])

  // A busy switch may read both pieces at once, and then loses nothing.
  for (;;) {
    const request = `request ${++number}`
    await sendInTwo(listRequest(number, request))
    if (!(await eventually(() => hasReply(request), 'list', 2_000).catch(() => false))) break
  }
  send(number + 1, 'after the gap')
  await eventually(() => missed().length > 0, 'missed')
  expect(missed()).toEqual([number - 1])
  expect(hasReply('after the gap')).toBe(false)

  send(number, 'the lost one')
  send(number, 'a repetition')
  send(number + 1, 'after the gap')
  await eventually(() => hasReply('after the gap'), 'list')
  expect(hasReply('the lost one')).toBe(true)
  expect(hasReply('a repetition')).toBe(false)
  expect(missed()).toHaveLength(1)
})

it('the switch does not take the beginning of a message for the whole', async () => {
  const { send, sendInTwo, hasReply, missed } = createSender()
  // Without its first digit, the length ends before a comma of the message.
  const head = '{"sequence":"1","type":"list"'.length
  const bytesWith = (filling: number) => listRequest(1, 'x'.repeat(filling))
  const filling = 100 + head - (bytesWith(1).length - '10:'.length - 2)
  const bytes = bytesWith(filling)
  expect(Buffer.from(bytes.subarray(0, bytes.indexOf(colon))).toString()).toBe(String(100 + head))

  await sendInTwo(bytes)
  send(2, 'after the gap')
  const hasRead = () => hasReply('x'.repeat(filling))
  await eventually(() => missed().length > 0 || hasRead(), 'a report')
  // A busy switch may read both pieces at once.
  if (hasRead()) return
  expect(missed()[0]).toBe(0)
  for (const number of [1, 2]) send(number, `request ${number}`)
  await eventually(() => hasReply('request 2'), 'list')
  expect(hasReply('request 1')).toBe(true)
})

it('no message of call control is lost if the network cuts the lengths', async () => {
  const cuts = await startCuttingProxy(harness.running.controlPort)
  const answered = new Set<string>()
  const links: SwitchLink[] = []
  let closed = 0
  const connection = createSwitchConnector({ logger: pino({ level: 'silent' }) })(`127.0.0.1:${cuts.port}`, {
    onOpen: (link) => links.push(link),
    onMessage: (_link, message) => message.type === 'live' && answered.add(message.request),
    onClose: () => closed++,
  })
  onTestFinished(() => connection.close())
  await eventually(() => links.length > 0, 'hello')
  for (let number = 1; number <= 12; number++) {
    links[0]?.send({ type: 'list', request: String(number) })
    await pause(100)
  }
  // Nothing follows the last message.
  await eventually(() => answered.size === 12, 'all replies', 20_000)
  expect(closed).toBe(0)
  expect(cuts.count()).toBeGreaterThan(3)
})

/** Forwards to the port, and cuts every third piece after its first byte. */
async function startCuttingProxy(port: number) {
  const sockets: Socket[] = []
  let pieces = 0
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1').setNoDelay()
    sockets.push(near, far)
    far.pipe(near)
    let queue = Promise.resolve()
    near.on('data', (bytes) => {
      queue = queue.then(async () => {
        if (++pieces % 3 !== 0) return void far.write(bytes)
        cuts++
        far.write(bytes.subarray(0, 1))
        await pause(BETWEEN_PIECES_MS)
        far.write(bytes.subarray(1))
      })
    })
    for (const socket of [near, far]) socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    count: () => cuts,
  }
}
