import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNetstringReader, writeNetstring } from '../../contract/netstring.ts'
import { type FromSwitch, messagesIn, numbered } from '../../contract/switch-protocol.ts'
import { eventually } from './eventually.ts'
import { type Harness, startHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.close())

it('the switch reports messages of call control that evapi has lost', async () => {
  const socket = connect(harness.running.controlPort, '127.0.0.1').setNoDelay()
  const received: FromSwitch[] = []
  const read = createNetstringReader()
  socket.on('data', (bytes) => {
    for (const text of read(bytes)) received.push(...(messagesIn(JSON.parse(text)) as FromSwitch[]))
  })
  let sent = 0
  const next = () => {
    const request = `request ${++sent}`
    return { request, bytes: writeNetstring(numbered({ type: 'list', request }, sent)) }
  }
  const isAnswered = (request: string) =>
    received.some((message) => message.type === 'live' && message.request === request)
  const hasMissed = () => received.some(({ type }) => type === 'missed')

  for (let count = 0; count < 50; count++) {
    const { request, bytes } = next()
    socket.write(bytes)
    await eventually(() => isAnswered(request), 'list')
  }
  expect(hasMissed()).toBe(false)

  // A busy switch may read both pieces at once, and then loses nothing.
  const lost = await (async () => {
    for (;;) {
      const { request, bytes } = next()
      socket.write(bytes.subarray(0, 1))
      await pause(300)
      socket.write(bytes.subarray(1))
      const hasReply = await eventually(() => isAnswered(request), 'list', 5_000).catch(() => false)
      if (!hasReply) return request
    }
  })()
  const { request, bytes } = next()
  socket.write(bytes)
  await eventually(() => isAnswered(request), 'list')
  expect(isAnswered(lost)).toBe(false)
  await eventually(hasMissed, 'missed')
  socket.destroy()
})
