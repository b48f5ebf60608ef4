import { createSocket } from 'node:dgram'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { SipCapture } from '../platform/sip-capture.ts'
import { listenForHep, readHep } from './hep-listener.ts'

const chunk = (type: number, value: Buffer) => {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(6 + value.length, 4)
  return Buffer.concat([head, value])
}
const number = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const packet = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('HEP3'), number(0, 2), ...chunks])
const sip = 'INVITE sip:1@2 SIP/2.0\r\n\r\n'
const common = [
  chunk(7, number(5062, 2)),
  chunk(8, number(5060, 2)),
  chunk(9, number(1_794_857_831, 4)),
  chunk(10, number(420_074, 4)),
  chunk(11, number(1, 1)),
  chunk(14, Buffer.from('london')),
  chunk(15, Buffer.from(sip)),
]

it('reads a SIP message with its addresses and its time in microseconds', () => {
  expect(
    readHep(
      packet(chunk(3, Buffer.from([198, 51, 100, 7])), chunk(4, Buffer.from([192, 0, 2, 1])), ...common),
    ),
  ).toEqual({
    switchId: 'london',
    at: 1_794_857_831_420.074,
    source: { address: '198.51.100.7', port: 5062 },
    target: { address: '192.0.2.1', port: 5060 },
    text: sip,
  })
})

it('writes IPv6 addresses in their short form', () => {
  const address = Buffer.from('20010db8000000000000000000000001', 'hex')
  expect(readHep(packet(chunk(5, address), chunk(6, address), ...common))?.source.address).toBe('2001:db8::1')
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['other bytes', Buffer.from('hello, this is not HEP')],
  ['a chunk beyond the end', packet(Buffer.from([0, 0, 0, 15, 255, 255, 1]))],
  ['a chunk of length 0', packet(Buffer.alloc(12))],
  ['another protocol', packet(...common, chunk(11, number(5, 1)))],
])('ignores %s', (_what, bytes) => {
  expect(readHep(bytes)).toBeNull()
})

it('warns once while the port is in use, and takes it over when the first listener ends', async () => {
  const probe = createSocket('udp4')
  await new Promise<void>((resolve) => probe.bind(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  const received: SipCapture[] = []
  const lines: { level: number; msg: string }[] = []
  const listener = listenForHep({
    host: '127.0.0.1',
    port,
    logger: pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    onCapture: (capture) => received.push(capture),
    retryAfterMs: 20,
  })
  await expect.poll(() => lines.length).toBeGreaterThan(2)
  expect(lines[0]?.msg).toBe('cannot listen for SIP messages')
  const { warn, debug } = pino.levels.values
  expect(lines.map(({ level }) => level)).toEqual([warn, ...lines.slice(1).map(() => debug)])
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  const sender = createSocket('udp4')
  while (received.length === 0) {
    sender.send(packet(...common), port, '127.0.0.1')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(received[0]?.switchId).toBe('london')
  expect(listener.lost()).toBe(0)
  sender.close()
  await listener.close()
})
