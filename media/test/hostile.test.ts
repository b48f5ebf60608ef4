import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode } from '../encode.ts'
import type { Conversation } from '../endpoint.ts'
import { decodeG711, encodeG711, SILENCE } from '../g711.ts'
import { noFields, readRtp, writeHeader } from '../rtp/packet.ts'
import { formatMessage } from '../sip/message.ts'
import { join, signature } from '../tones.ts'
import { answeredCall, callerRequest, openAudio, portIn, sdp, startPeer } from './peer.ts'
import { ended, HOST, later, promptsIn, record, start, talk } from './support.ts'

/** Sends bytes over a new connection. Resolves when the endpoint closes it, or after a pause. */
const throwAt = (port: number, bytes: Uint8Array | string, pauseMs = 60) =>
  new Promise<'closed' | 'open'>((resolve) => {
    const socket = connect(port, HOST, () => socket.write(bytes))
    socket.on('error', () => {})
    socket.once('close', () => resolve('closed'))
    socket.setTimeout(pauseMs, () => {
      resolve('open')
      socket.destroy()
    })
    socket.resume()
  })

describe('hostile input', () => {
  it('never disturbs other calls', async () => {
    const ivr = await start(async (incoming) => {
      const conversation = await incoming.answer()
      void conversation.play(encode(signature(3)), { loops: true })
    })
    const conversation = await talk(await start(), ivr)
    const heard = record(conversation)
    const peer = await startPeer()
    const valid = formatMessage(callerRequest(peer, 'INVITE', 1, { callId: 'x', body: sdp(9) }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat({ max: valid.length }), text: fc.string({ maxLength: 30 }) }), {
          maxLength: 4,
        }),
        fc.nat({ max: valid.length }),
        async (changes, end) => {
          const changed = changes.reduce(
            (text, { at, text: more }) => text.slice(0, at) + more + text.slice(at + more.length),
            valid,
          )
          await throwAt(ivr.port, changed)
          await throwAt(ivr.port, valid.slice(0, end))
        },
      ),
      { numRuns: 25 },
    )
    expect(await throwAt(ivr.port, Buffer.alloc(200_000, 'x'), 20_000)).toBe('closed')
    expect(await throwAt(ivr.port, 'GET / HTTP/1.1\r\n\r\n', 20_000)).toBe('closed')
    expect(await throwAt(ivr.port, Buffer.from([0x16, 3, 1, 0, 200, ...Buffer.alloc(300)]))).toBe('open')
    const before = heard().length
    await expect.poll(() => heard().length).toBeGreaterThan(before + 8_000)
    expect(new Set(promptsIn(heard().subarray(before)))).toEqual(new Set([3]))
  })

  it('of SDP with any lines never throws', async () => {
    const { parseSdp } = await import('../sdp.ts')
    const line = fc.oneof(
      fc.constantFrom(
        'v=0',
        'c=IN IP4 1.2.3.4',
        'c=IN IP4 999.9.9.9',
        'c=IN IP6 ::',
        'm=audio 4 RTP/AVP 0',
        'a=rtpmap:0 x',
        'm=audio 99999 RTP/AVP 8',
      ),
      fc.string({ maxLength: 40 }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const parsed = parseSdp(lines.join('\r\n'))
        expect(parsed === null || (parsed.audio.port > 0 && parsed.audio.port < 65_536)).toBe(true)
      }),
    )
  })
})

describe('the audio of a call', () => {
  async function called(body: (port: number) => string) {
    const peer = await startPeer()
    const audio = await openAudio()
    const conversation = later<Conversation>()
    const ivr = await start(async (incoming) => conversation.resolve(await incoming.answer()))
    const { ok, within } = await answeredCall(peer, ivr.port, body(audio.own))
    const end = async (cseq = 2) => {
      peer.send(within('BYE', cseq))
      await ended(await conversation.promise)
    }
    return { audio, peer, within, port: portIn(ok.body), conversation: await conversation.promise, end }
  }

  function packetsOf(sound: Int16Array, type: number, law: 'alaw' | 'ulaw'): Buffer[] {
    const bytes = encodeG711(sound, law)
    return Array.from({ length: Math.floor(bytes.length / 160) }, (_, at) => {
      const packet = Buffer.alloc(172)
      writeHeader(packet, type, at === 0, at, at * 160, 77)
      packet.set(bytes.subarray(at * 160, at * 160 + 160), 12)
      return packet
    })
  }

  it('is silence while nothing plays, in an unbroken sequence, and nothing on hold', async () => {
    const { audio, conversation, within, peer, end } = await called((own) => sdp(own))
    const numbers: number[] = []
    let isSilent = true
    audio.on('message', (packet) => {
      const fields = noFields()
      if (readRtp(packet, fields)) numbers.push(fields.sequence)
      isSilent &&= packet.subarray(12).every((byte) => byte === SILENCE.alaw)
    })
    await expect.poll(() => numbers.length).toBeGreaterThan(10)
    expect(isSilent).toBe(true)
    await conversation.play(encode(signature(2, 100))).done
    await expect.poll(() => isSilent).toBe(false)
    const first = numbers[0] ?? 0
    expect(numbers).toEqual(numbers.map((_, at) => (first + at) & 0xffff))
    peer.send(within('INVITE', 2, sdp(audio.own, { direction: 'inactive' })))
    await peer.response(200)
    peer.send(within('ACK', 2))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = numbers.length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(numbers.length).toBe(before)
    await end(3)
  })

  it('is taken only from the address in the SDP', async () => {
    const { audio, port, conversation, end } = await called((own) => sdp(own))
    const stranger = await openAudio()
    const heard = record(conversation)
    for (const packet of packetsOf(signature(8), 8, 'alaw')) {
      stranger.send(packet, port, HOST)
      for (const noise of [Buffer.alloc(0), Buffer.alloc(5), Buffer.alloc(1_400, 0xff)])
        audio.send(noise, port, HOST)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    for (const packet of packetsOf(signature(9), 8, 'alaw')) {
      audio.send(packet, port, HOST)
      await new Promise((resolve) => setTimeout(resolve, 18))
    }
    await end()
    expect(promptsIn(heard())).toEqual([9])
  })

  it('is µ-law both ways if the caller offers nothing else', async () => {
    const { audio, port, conversation, end } = await called((own) => sdp(own, { types: '0' }))
    const received: Int16Array[] = []
    audio.on('message', (packet) => {
      const fields = noFields()
      if (readRtp(packet, fields) && fields.type === 0)
        received.push(decodeG711(packet.subarray(fields.start), 'ulaw'))
    })
    const heard = record(conversation)
    void conversation.play(encode(signature(4)))
    for (const packet of packetsOf(signature(9), 0, 'ulaw')) {
      audio.send(packet, port, HOST)
      await new Promise((resolve) => setTimeout(resolve, 18))
    }
    await expect.poll(() => promptsIn(join(...received))).toEqual([4])
    await end()
    expect(promptsIn(heard())).toEqual([9])
  })

  it('contains keys as tones if the caller sends no events', async () => {
    const { frequenciesOf } = await import('../dtmf.ts')
    const { silence, tone } = await import('../tones.ts')
    const press = join(
      ...[...'12#'].flatMap((key) => [tone({ hz: frequenciesOf(key) ?? [], ms: 100 }), silence(80)]),
    )
    for (const [types, expected] of [
      ['8', '12#'],
      ['8 101', ''],
    ] as const) {
      const { audio, port, conversation, end } = await called((own) => sdp(own, { types }))
      let keys = ''
      conversation.onKey((key) => {
        keys += key
      })
      for (const packet of packetsOf(press, 8, 'alaw')) {
        audio.send(packet, port, HOST)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
      await end()
      expect(keys).toBe(expected)
    }
  })
})
