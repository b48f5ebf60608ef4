import { createSocket } from 'node:dgram'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { type Bencoded, decodeBencode, encodeBencode } from './bencode.ts'
import { connectRtpengine, RtpengineError } from './client.ts'

it('encodes commands as rtpengine reads them', () => {
  const command = { command: 'offer', flags: ['a', 'bc'], port: -7, blob: Uint8Array.of(0, 255) }
  expect(encodeBencode(command).toString('latin1')).toBe(
    'd7:command5:offer5:flagsl1:a2:bce4:porti-7e4:blob2:\0\xffe',
  )
})

it('decodes what it has encoded', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  const { value } = fc.letrec<{ value: Bencoded }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  fc.assert(
    fc.property(value, (given) => {
      expect(decodeBencode(encodeBencode(given))).toEqual(given)
    }),
  )
})

it('returns null for everything else, and never throws', () => {
  for (const text of ['', 'i', 'i1', 'ie', 'ixe', '5:abc', '-1:', 'l', 'd1:a', 'd1:ae', '1:ab', 'e', 'i1ee'])
    expect(decodeBencode(Buffer.from(text)), text).toBeNull()
  expect(decodeBencode(Buffer.from('l'.repeat(100_000)))).toBeNull()
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void decodeBencode(Buffer.from(bytes))))
})

/** An rtpengine that answers with `reply`, from the given attempt on. */
async function startEngine(reply: (command: string) => Bencoded, fromAttempt = 1) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const packets: string[] = []
  socket.on('message', (packet, from) => {
    packets.push(packet.toString('latin1'))
    if (packets.length < fromAttempt) return
    const [cookie = ''] = packet.toString('latin1').split(' ')
    const answer = encodeBencode(reply(packet.toString('latin1')))
    socket.send(Buffer.concat([Buffer.from(`${cookie} `), answer]), from.port, from.address)
  })
  const engine = await connectRtpengine({
    host: '127.0.0.1',
    port: socket.address().port,
    repeatAfterMs: 50,
    tries: 3,
  })
  onTestFinished(() => {
    engine.close()
    socket.close()
  })
  return { engine, packets }
}

it('repeats a command with the same cookie until the reply arrives', async () => {
  const { engine, packets } = await startEngine(() => ({ result: 'ok', sdp: 'v=0' }), 3)
  expect(await engine.ask('offer', { sdp: 'v=0' })).toEqual({ result: 'ok', sdp: 'v=0' })
  expect(packets).toHaveLength(3)
  expect(new Set(packets).size).toBe(1)
})

it('gives each command its own reply', async () => {
  const { engine } = await startEngine((packet) => ({
    result: 'ok',
    number: Number(/i(\d+)e/.exec(packet)?.[1]),
  }))
  const replies = await Promise.all([1, 2, 3].map((number) => engine.ask('query', { number })))
  expect(replies.map(({ number }) => number)).toEqual([1, 2, 3])
})

it('rejects a command that rtpengine refuses, with the reason', async () => {
  const { engine } = await startEngine(() => ({ result: 'error', 'error-reason': 'Unknown call-id' }))
  await expect(engine.ask('query', {})).rejects.toThrow(new RtpengineError('query: Unknown call-id'))
})

it('rejects a command without a reply, also if nothing listens at the port', async () => {
  const { engine } = await startEngine(() => ({ result: 'ok' }), 99)
  await expect(engine.ask('ping', {})).rejects.toThrow(RtpengineError)
  const nobody = await connectRtpengine({ host: '127.0.0.1', port: 9, repeatAfterMs: 20, tries: 3 })
  await expect(nobody.ask('ping', {})).rejects.toThrow('no reply to ping')
  nobody.close()
})
