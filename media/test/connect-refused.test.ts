import { describe, expect, it } from 'vitest'
import { encode } from '../encode.ts'
import { decodeG711, encodeG711 } from '../g711.ts'
import { noFields, readRtp, writeHeader } from '../rtp/packet.ts'
import { join, signature } from '../tones.ts'
import { answeredCall, openAudio, portIn, sdp, startPeer } from './peer.ts'
import { promptsIn, record, startMiddle } from './support.ts'

/** A scripted caller, connected to an endpoint that answers. */
async function connected() {
  const { ivr, called } = await startMiddle((caller, toCalled) => caller.connect(toCalled))
  const peer = await startPeer()
  const audio = await openAudio()
  const received: Int16Array[] = []
  const fields = noFields()
  /** Ports that audio comes from. */
  const senders = new Set<number>()
  audio.on('message', (packet, from) => {
    senders.add(from.port)
    if (readRtp(packet, fields) && fields.type === 8)
      received.push(decodeG711(packet.subarray(fields.start), 'alaw'))
  })
  const { ok, within } = await answeredCall(peer, ivr.port, sdp(audio.own))

  /** Sends a sound to a port, packet by packet. */
  async function speak(sound: Int16Array, port: number) {
    const bytes = encodeG711(sound, 'alaw')
    const first = Math.floor(Math.random() * 2 ** 31)
    for (let at = 0; at + 160 <= bytes.length; at += 160) {
      const packet = Buffer.alloc(172)
      writeHeader(packet, 8, at === 0, at / 160, first + at, 5)
      packet.set(bytes.subarray(at, at + 160), 12)
      audio.send(packet, port, '127.0.0.1')
      await new Promise((resolve) => setTimeout(resolve, 18))
    }
  }

  const conversation = await called
  return {
    peer,
    audio,
    within,
    speak,
    port: portIn(ok.body),
    called: conversation,
    /** Waits until audio comes from this port only. */
    hearsOnly: (port: number) =>
      expect
        .poll(async () => {
          senders.clear()
          await new Promise((resolve) => setTimeout(resolve, 100))
          return [...senders]
        })
        .toEqual([port]),
    hears: (number: number) => expect.poll(() => promptsIn(join(...received))).toContain(number),
    async end(cseq: number) {
      peer.send(within('BYE', cseq))
      await peer.response(200, 'BYE')
      conversation.hangUp()
    },
  }
}

type Connected = Awaited<ReturnType<typeof connected>>

async function talksThroughUs({ called, speak, port, hears }: Connected): Promise<void> {
  const atCalled = record(called)
  await speak(signature(1), port)
  await expect.poll(() => promptsIn(atCalled())).toContain(1)
  void called.play(encode(signature(2)))
  await hears(2)
}

describe('a caller that refuses to talk directly', () => {
  it('is relayed after a 488', async () => {
    const call = await connected()
    const { peer } = call
    const offer = await peer.request('INVITE')
    expect(portIn(offer.body)).not.toBe(call.port)
    peer.reply(offer, 488, 'Not Acceptable Here')
    await peer.request('ACK')
    await talksThroughUs(call)
    await call.end(2)
  })

  it('is relayed after two 491s', async () => {
    const call = await connected()
    const { peer } = call
    for (let tries = 0; tries < 2; tries++) {
      peer.reply(await peer.request('INVITE'), 491, 'Request Pending')
      await peer.request('ACK')
    }
    await talksThroughUs(call)
    await call.end(2)
  })

  it('is relayed while it does not answer, and may hang up meanwhile', async () => {
    const call = await connected()
    await call.peer.request('INVITE')
    await talksThroughUs(call)
    // Both sides offer at once.
    call.peer.send(call.within('INVITE', 2, sdp(call.audio.own)))
    await call.peer.response(491)
    call.peer.send(call.within('ACK', 2))
    await call.end(3)
  })
})

describe('a caller that talks directly', () => {
  async function direct() {
    const call = await connected()
    const { peer, audio } = call
    const offer = await peer.request('INVITE')
    peer.reply(offer, 200, 'OK', { body: sdp(audio.own) })
    await peer.request('ACK')
    const port = portIn(offer.body)
    const atCalled = record(call.called)
    await expect
      .poll(async () => {
        await call.speak(signature(3), port)
        return promptsIn(atCalled())
      })
      .toContain(3)
    void call.called.play(encode(signature(4)), { loops: true })
    await call.hears(4)
    call.called.stopPlaying()
    // Nothing comes from the process in the middle any more.
    await call.hearsOnly(port)
    return { ...call, offer }
  }

  it('keeps doing so after a session refresh', async () => {
    const call = await direct()
    call.peer.send(call.within('INVITE', 2, sdp(call.audio.own)))
    expect((await call.peer.response(200)).body).toBe(call.offer.body)
    call.peer.send(call.within('ACK', 2))
    await call.end(3)
  })

  it('is relayed again when it changes its audio, and can be put on hold', async () => {
    const call = await direct()
    call.peer.send(call.within('INVITE', 2, sdp(call.audio.own, { direction: 'sendonly' })))
    const hold = await call.peer.response(200)
    expect(hold.body).toContain('a=recvonly')
    expect(portIn(hold.body)).toBe(call.port)
    call.peer.send(call.within('ACK', 2))
    call.peer.send(call.within('INVITE', 3, sdp(call.audio.own)))
    expect(portIn((await call.peer.response(200)).body)).toBe(call.port)
    call.peer.send(call.within('ACK', 3))
    void call.called.play(encode(signature(6)), { loops: true })
    await call.hears(6)
    await call.hearsOnly(call.port)
    await call.end(4)
  })
})
