import { randomBytes } from 'node:crypto'
import { keyPayload } from '../dtmf.ts'
import type { Encoded } from '../endpoint.ts'
import { copyG711, type Law, SILENCE } from '../g711.ts'
import { HEADER, type RtpFields, SAMPLES, writeHeader } from './packet.ts'

/** The format that the other side wants. */
export type SendFormat = { readonly type: number; readonly law: Law; readonly keys: number | null }

export type Sender = {
  /** Null sends nothing; time goes on. */
  setFormat(format: SendFormat | null): void
  /** Every 20 ms. Returns the position of 160 bytes in `audio` that were sent, or -1 if the relay sends. */
  tick(): void
  play(sound: Encoded, loops: boolean): Promise<boolean>
  stop(): void
  press(keys: string): void
  /** Sends a packet of another call at once, unless a sound is playing. */
  forward(packet: Buffer, fields: RtpFields, law: Law): boolean
  forwardKey(packet: Buffer, fields: RtpFields): void
  /** Audio of the last tick, and its law. Silence if relayed packets take its place, or their gap. */
  readonly last: { bytes: Uint8Array; start: number; law: Law; isRelayed: boolean }
}

type Playing = {
  readonly bytes: Readonly<Record<Law, Uint8Array>>
  readonly loops: boolean
  at: number
  end(isComplete: boolean): void
}

/** A press of 100 ms, its end sent three times, and a pause of 60 ms. */
const PRESS_TICKS = 5
const END_PACKETS = 3
const PAUSE_TICKS = 3
/** Silence replaces a relayed call that sends nothing for 200 ms. */
const RELAY_GAP_TICKS = 10
const SILENT = {
  alaw: new Uint8Array(SAMPLES).fill(SILENCE.alaw),
  ulaw: new Uint8Array(SAMPLES).fill(SILENCE.ulaw),
} as const
/** The longest packet that is relayed: 120 ms. */
const MAX_PAYLOAD = 960

export function createSender(transmit: (packet: Buffer, length: number) => void): Sender {
  const buffers = [Buffer.alloc(HEADER + MAX_PAYLOAD), Buffer.alloc(HEADER + MAX_PAYLOAD)] as const
  const source = randomBytes(4).readUInt32BE()
  let sequence = randomBytes(2).readUInt16BE()
  let timestamp = randomBytes(4).readUInt32BE()
  let format: SendFormat | null = null
  let playing: Playing | null = null
  let keys: string[] = []
  let keyTick = 0
  let keyStart = 0
  let silentTicks = RELAY_GAP_TICKS
  /** Difference of our timestamps to those of the relayed call. */
  let offset: number | null = null
  let relayedSource = -1
  let isTalking = false
  const last: Sender['last'] = { bytes: SILENT.alaw, start: 0, law: 'alaw', isRelayed: false }

  function send(type: number, hasMarker: boolean, at: number, length: number): void {
    const packet = buffers[sequence & 1] ?? buffers[0]
    writeHeader(packet, type, hasMarker, sequence, at, source)
    sequence = (sequence + 1) & 0xffff
    transmit(packet, HEADER + length)
  }
  const payload = (): Buffer => buffers[sequence & 1] ?? buffers[0]

  function finishPlaying(isComplete: boolean): void {
    const ended = playing
    playing = null
    ended?.end(isComplete)
  }

  /** Returns whether the key took the place of audio. */
  function sendKey(): boolean {
    const [key] = keys
    if (key === undefined || format === null || format.keys === null) return false
    if (keyTick === 0) keyStart = timestamp
    keyTick += 1
    if (keyTick <= PRESS_TICKS + 1) {
      const isEnd = keyTick > PRESS_TICKS
      const bytes = keyPayload(key, Math.min(keyTick, PRESS_TICKS) * SAMPLES, isEnd)
      for (let times = isEnd ? END_PACKETS : 1; bytes && times > 0; times--) {
        payload().set(bytes, HEADER)
        send(format.keys, keyTick === 1, keyStart, bytes.length)
      }
      return true
    }
    if (keyTick > PRESS_TICKS + 1 + PAUSE_TICKS) {
      keys.shift()
      keyTick = 0
    }
    return false
  }

  function note(bytes: Uint8Array, start: number, law: Law, isRelayed: boolean): void {
    last.bytes = bytes
    last.start = start
    last.law = law
    last.isRelayed = isRelayed
  }

  function tickSound(sound: Playing): void {
    const law = format?.law ?? 'alaw'
    const bytes = sound.bytes[law]
    const length = Math.max(0, Math.min(SAMPLES, bytes.length - sound.at))
    const packet = payload()
    for (let i = 0; i < length; i++) packet[HEADER + i] = bytes[sound.at + i] ?? 0
    if (length < SAMPLES) packet.fill(SILENCE[law], HEADER + length, HEADER + SAMPLES)
    note(packet, HEADER, law, false)
    if (format) send(format.type, !isTalking, timestamp, SAMPLES)
    isTalking = true
    sound.at += SAMPLES
    if (sound.at < bytes.length) return
    if (sound.loops && bytes.length > 0) sound.at = 0
    else finishPlaying(true)
  }

  function tickSilence(): void {
    const law = format?.law ?? 'alaw'
    note(SILENT.alaw, 0, 'alaw', true)
    offset = null
    if (!format) return
    payload().set(SILENT[law], HEADER)
    send(format.type, isTalking, timestamp, SAMPLES)
    isTalking = false
  }

  return {
    last,
    setFormat(next) {
      format = next
    },

    tick() {
      timestamp = (timestamp + SAMPLES) >>> 0
      silentTicks += 1
      if (sendKey()) {
        note(SILENT.alaw, 0, 'alaw', false)
        return
      }
      if (playing) return tickSound(playing)
      if (silentTicks > RELAY_GAP_TICKS) return tickSilence()
      note(SILENT.alaw, 0, 'alaw', true)
    },

    play(sound, loops) {
      finishPlaying(false)
      offset = null
      return new Promise((resolve) => {
        playing = { bytes: { alaw: sound.alaw, ulaw: sound.ulaw }, loops, at: 0, end: resolve }
      })
    },

    stop: () => finishPlaying(false),

    press(more) {
      keys = [...keys, ...more]
    },

    forward(packet, fields, law) {
      silentTicks = 0
      if (!format || playing || fields.length > MAX_PAYLOAD || fields.length === 0) return false
      const isFirst = offset === null || relayedSource !== fields.source
      if (isFirst) {
        offset = (timestamp - fields.timestamp) | 0
        relayedSource = fields.source
      }
      copyG711(packet, fields.start, fields.length, law, payload(), HEADER, format.law)
      send(format.type, isFirst || fields.hasMarker, (fields.timestamp + (offset ?? 0)) >>> 0, fields.length)
      isTalking = true
      return true
    },

    forwardKey(packet, fields) {
      // Events take the place of audio. Silence between them would end the press, because the next event would get another timestamp.
      silentTicks = 0
      if (!format || format.keys === null || fields.length > 16) return
      if (offset === null || relayedSource !== fields.source) {
        offset = (timestamp - fields.timestamp) | 0
        relayedSource = fields.source
      }
      payload().set(packet.subarray(fields.start, fields.start + fields.length), HEADER)
      send(format.keys, fields.hasMarker, (fields.timestamp + offset) >>> 0, fields.length)
    },
  }
}
