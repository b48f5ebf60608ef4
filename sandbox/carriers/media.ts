import { createSocket, type Socket } from 'node:dgram'

/** An RTP endpoint that echoes packets or sends a tone. */
export type MediaEnd = { port: number; heard(): number; close(): void }

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
export async function openTone(
  address: string,
  target: { address: string; port: number } | null,
): Promise<MediaEnd> {
  let to = target
  const end = await openEnd(address, (_socket, _packet, from) => {
    to = from
  })
  let sequence = 0
  const timer = setInterval(() => {
    if (to) end.socket.send(tonePacket(sequence), to.port, to.address)
    sequence += 1
  }, PACKET_MS)
  return {
    port: end.port,
    heard: end.heard,
    close() {
      clearInterval(timer)
      end.close()
    },
  }
}

type OpenEnd = MediaEnd & { socket: Socket }

function openEnd(
  address: string,
  onPacket: (socket: Socket, packet: Buffer, from: { address: string; port: number }) => void,
): Promise<OpenEnd> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  let heard = 0
  let isOpen = true
  socket.on('message', (packet, from) => {
    heard += 1
    if (isOpen) onPacket(socket, packet, from)
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(0, address, () => {
      socket.removeAllListeners('error')
      socket.on('error', () => {})
      resolve({
        socket,
        port: socket.address().port,
        heard: () => heard,
        close() {
          if (isOpen) socket.close()
          isOpen = false
        },
      })
    })
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
