import type { Socket } from 'node:dgram'
import { bindUdp } from '../shared/udp.ts'

/** An RTP endpoint that echoes packets or sends a tone. */
export type MediaEnd = {
  port: number
  heard(): number
  /** Sends to this address from now on. */
  aim(target: Target | null): void
  /** Sends a key as an RFC 4733 event with this payload type. */
  press(digit: string, payloadType: number): void
  close(): void
}

type Target = { address: string; port: number }

const PACKET_MS = 20
const SAMPLES = 160
const TONE_HZ = 440
const LOUDNESS = 8_000
/** Indexed by RFC 4733 event code. */
const KEYS = '0123456789*#ABCD'

/** DTMF packets have their own payload type and are not echoed. */
export function openEcho(
  address: string,
  keys: number | null = null,
  onKey: (digit: string) => void = () => {},
): Promise<MediaEnd> {
  let lastKeyAt = -1
  return openEnd(address, (socket, packet, from) => {
    if (keys === null || ((packet[1] ?? 0) & 0x7f) !== keys)
      return socket.send(packet, from.port, from.address)
    // All packets of one key press have the same timestamp.
    const pressedAt = packet.readUInt32BE(4)
    if (pressedAt !== lastKeyAt) onKey(KEYS[packet[12] ?? 0] ?? '?')
    lastKeyAt = pressedAt
  })
}

/** Sends to the address in the SDP, or to the source of the first packet. */
export async function openTone(address: string, target: Target | null): Promise<MediaEnd> {
  const end = await openEnd(address, () => {})
  end.aim(target)
  let sequence = 0
  const timer = setInterval(() => {
    end.send(tonePacket(sequence))
    sequence += 1
  }, PACKET_MS)
  return {
    ...end,
    close() {
      clearInterval(timer)
      end.close()
    },
  }
}

type OpenEnd = MediaEnd & { send(packet: Buffer): void }

async function openEnd(
  address: string,
  onPacket: (socket: Socket, packet: Buffer, from: Target) => void,
): Promise<OpenEnd> {
  const socket = await bindUdp(address, 0)
  let heard = 0
  let isOpen = true
  let to: Target | null = null
  socket.on('message', (packet, from) => {
    heard += 1
    to = from
    if (isOpen) onPacket(socket, packet, from)
  })
  const send = (packet: Buffer) => {
    if (isOpen && to) socket.send(packet, to.port, to.address)
  }
  return {
    port: socket.address().port,
    heard: () => heard,
    aim: (target) => {
      to = target ?? to
    },
    send,
    press(digit, payloadType) {
      const packets = keyPackets(digit, payloadType)
      packets.forEach((packet, index) => {
        setTimeout(() => send(packet), index * PACKET_MS).unref()
      })
    },
    close() {
      if (isOpen) socket.close()
      isOpen = false
    },
  }
}

let keySequence = 0

/** A key press of 100 ms: five packets, and the end three times. */
function keyPackets(digit: string, payloadType: number): Buffer[] {
  const code = KEYS.indexOf(digit)
  if (code < 0) return []
  const timestamp = (Date.now() * 8) >>> 0
  return [1, 2, 3, 4, 5, 5, 5, 5].map((length, index) => {
    const packet = Buffer.alloc(16)
    packet[0] = 0x80
    packet[1] = payloadType | (index === 0 ? 0x80 : 0)
    packet.writeUInt16BE(keySequence++ & 0xffff, 2)
    packet.writeUInt32BE(timestamp, 4)
    packet.writeUInt32BE(0x7a11e5, 8)
    packet[12] = code
    packet[13] = (index >= 5 ? 0x80 : 0) | 10
    packet.writeUInt16BE(length * SAMPLES, 14)
    return packet
  })
}

/** An RTP packet (payload type 8, A-law) with a sine tone. */
export function tonePacket(sequence: number): Buffer {
  const packet = Buffer.alloc(12 + SAMPLES)
  packet[0] = 0x80
  packet[1] = 8
  packet.writeUInt16BE(sequence & 0xffff, 2)
  packet.writeUInt32BE((sequence * SAMPLES) >>> 0, 4)
  packet.writeUInt32BE(0x7a11e5, 8)
  for (let i = 0; i < SAMPLES; i++) {
    const moment = (sequence * SAMPLES + i) / 8_000
    packet[12 + i] = toAlaw(Math.round(LOUDNESS * Math.sin(2 * Math.PI * TONE_HZ * moment)))
  }
  return packet
}

function toAlaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0
  const magnitude = Math.min(32_635, Math.abs(sample))
  const exponent = magnitude < 256 ? 0 : Math.floor(Math.log2(magnitude)) - 7
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return (sign | (exponent << 4) | mantissa) ^ 0x55
}
