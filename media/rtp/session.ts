import type { Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { createKeyEvents, createToneKeys } from '../dtmf.ts'
import type { Encoded } from '../endpoint.ts'
import { copyG711, decodeG711, type Law } from '../g711.ts'
import { type Audio, receives } from '../sdp.ts'
import { noFields, type RtpFields, readRtp, SAMPLES } from './packet.ts'
import { createPlayout, type Playout } from './playout.ts'
import { createSender } from './sender.ts'
import type { Ticker } from './ticker.ts'

type Sink = (packet: Uint8Array) => void

/** The audio of one call: one UDP socket. */
export type RtpSession = {
  readonly port: number
  /** Sends to and accepts packets of this address only. Null is silent and deaf. */
  aim(remote: Audio | null): void
  /** Sends nothing, and accepts packets of this port. Behind one-to-one NAT, rtpengine offers another address than it sends from. */
  hear(remote: Audio): void
  play(sound: Encoded, loops: boolean): Promise<boolean>
  stopPlaying(): void
  press(keys: string): void
  listen(sink: Sink | null): void
  listenToSent(sink: Sink | null): void
  /** Time since the last packet, in steps of 20 ms. */
  quietMs(): number
  /** Sends everything that arrives here to another call. Null ends it. */
  relayTo(other: RtpSession | null): void
  /** For the session that relays to this one. */
  readonly relayed: {
    audio(packet: Buffer, fields: RtpFields, law: Law): void
    key(packet: Buffer, fields: RtpFields): void
  }
  close(): void
}

type Events = {
  readonly onKey: (key: string) => void
  /** Nothing has arrived for ten minutes. */
  readonly onDead: () => void
  readonly onError: (error: unknown) => void
}

const TICK_MS = 20
/** Ten minutes in ticks of 20 ms. A switch that has crashed sends no BYE. */
const DEAD_TICKS = 10 * 60 * 50

export function createRtpSession(
  socket: Socket,
  ticker: Ticker,
  { onKey, onDead, onError }: Events,
): RtpSession {
  const { port } = socket.address()
  const fields = noFields()
  const keyEvents = createKeyEvents(onKey)
  let toneKeys: ReturnType<typeof createToneKeys> | null = null
  let remote: Audio | null = null
  /** The address that the socket is connected to. A connected socket receives nothing from others. */
  let connected: { address: string; port: number } | null = null
  let isConnecting = false
  let isHearing = false
  let isClosed = false
  let ticksWithoutAudio = 0
  let quietTicks = 0
  let relayTarget: RtpSession | null = null
  let heard: { sink: Sink; playout: Playout } | null = null
  let sent: { sink: Sink; playout: Playout } | null = null

  const sender = createSender((packet, length) => {
    if (!isClosed && connected) socket.send(packet, 0, length)
  })

  // A closed port at the other side is reported by ICMP. The signaling tells when the call ends.
  socket.on('error', () => {})
  socket.on('message', (packet, from) => {
    try {
      if (isExpected(from)) receive(packet)
    } catch (error) {
      onError(error)
    }
  })

  function isExpected({ address, port }: { address: string; port: number }): boolean {
    if (isHearing) return port === remote?.port
    return connected?.port === port && (connected.address === address || isIPv6(address))
  }

  function lawOf(type: number): Law | null {
    return remote?.codecs.find((codec) => codec.type === type)?.law ?? null
  }

  function receive(packet: Buffer): void {
    if (remote === null || !readRtp(packet, fields)) return
    ticksWithoutAudio = 0
    quietTicks = 0
    const { type, start, length, timestamp, source } = fields
    if (type === remote.keys) {
      relayTarget?.relayed.key(packet, fields)
      keyEvents.receive(timestamp, source, packet.subarray(start, start + length))
      return
    }
    const law = lawOf(type)
    if (law === null) return
    relayTarget?.relayed.audio(packet, fields, law)
    heard?.playout.write(timestamp, source, packet, start, length, law)
    toneKeys?.receive(decodeG711(packet.subarray(start, start + length), law))
  }

  function tick(): void {
    sender.tick()
    quietTicks += 1
    ticksWithoutAudio = remote?.direction === 'sendrecv' ? ticksWithoutAudio + 1 : 0
    if (ticksWithoutAudio === DEAD_TICKS) onDead()
    if (sent) {
      // Also behind a sound, so that the playout keeps up with the time and both sides stay aligned.
      const relayed = sent.playout.read()
      sent.sink(sender.last.isRelayed ? relayed : lastSent())
    }
    if (heard) heard.sink(heard.playout.read())
  }

  function lastSent(): Uint8Array {
    const packet = new Uint8Array(SAMPLES)
    copyG711(sender.last.bytes, sender.last.start, SAMPLES, sender.last.law, packet, 0, 'alaw')
    return packet
  }

  function applyAim(): void {
    if (isClosed || isConnecting) return
    const wanted = remote === null ? null : { address: remote.address, port: remote.port }
    if (wanted?.address === connected?.address && wanted?.port === connected?.port) return
    if (connected) {
      connected = null
      socket.disconnect()
    }
    if (!wanted) return
    isConnecting = true
    socket.connect(wanted.port, wanted.address, (error?: Error) => {
      isConnecting = false
      if (isClosed) return
      if (!error) connected = wanted
      if (!error || remote?.address !== wanted.address || remote.port !== wanted.port) applyAim()
    })
  }

  const removeTick = ticker.add(tick)

  return {
    port,
    aim(next) {
      remote = next
      const [codec] = next?.codecs ?? []
      const canSend = next !== null && codec !== undefined && receives(next.direction)
      sender.setFormat(canSend ? { type: codec.type, law: codec.law, keys: next.keys } : null)
      toneKeys = next && next.keys === null ? (toneKeys ?? createToneKeys(onKey)) : null
      try {
        applyAim()
      } catch (error) {
        onError(error)
      }
    },
    hear(sender) {
      isHearing = true
      remote = sender
      toneKeys = sender.keys === null ? createToneKeys(onKey) : null
    },
    play: (sound, loops) => (isClosed ? Promise.resolve(false) : sender.play(sound, loops)),
    stopPlaying: () => sender.stop(),
    press: (keys) => sender.press(keys),
    listen(sink) {
      heard = sink ? { sink, playout: heard?.playout ?? createPlayout() } : null
    },
    listenToSent(sink) {
      sent = sink ? { sink, playout: sent?.playout ?? createPlayout() } : null
    },
    quietMs: () => quietTicks * TICK_MS,
    relayTo(other) {
      relayTarget = other
    },
    relayed: {
      audio(packet, from, law) {
        if (!sender.forward(packet, from, law)) return
        sent?.playout.write(from.timestamp, from.source, packet, from.start, from.length, law)
      },
      key: (packet, from) => sender.forwardKey(packet, from),
    },
    close() {
      if (isClosed) return
      removeTick()
      sender.stop()
      // The last packets wait in the playout buffer.
      while (heard && heard.playout.pending() > 0) {
        heard.sink(heard.playout.read())
        sent?.sink(sent.playout.read())
      }
      isClosed = true
      heard = null
      sent = null
      relayTarget = null
      socket.close()
    },
  }
}
