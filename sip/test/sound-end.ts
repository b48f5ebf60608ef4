import { createSocket } from 'node:dgram'
import { createKeyEvents, frequenciesOf, keyPayload } from '../../media/dtmf.ts'
import { decodeG711, encodeG711 } from '../../media/g711.ts'
import { join, recognize, ringbackSeconds, signature, tone } from '../../media/tones.ts'
import { audioDescription } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'

/** An RTP end with G.711 that plays a tone signature and recognizes the signatures that it hears. */
export type SoundEnd = Awaited<ReturnType<typeof openSoundEnd>>

const PACKET_MS = 20
const SAMPLES = 160
const KEYS = 101
/** The other side may name telephone events by another type. */
const FIRST_DYNAMIC = 96
const KEY_MS = 200

export async function openSoundEnd(address = '127.0.0.1') {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, address, resolve))
  let packets: { at: number; samples: Int16Array }[] = []
  let to: { address: string; port: number } | null = null
  let sound: Uint8Array | null = null
  let sequence = 0
  const sentAt: number[] = []
  const received = new Set<number>()
  const keys: string[] = []
  const keyEvents = createKeyEvents((key) => keys.push(key))
  socket.on('error', () => {})
  socket.on('message', (packet) => {
    const type = (packet[1] ?? 0) & 0x7f
    received.add(type)
    if (type >= FIRST_DYNAMIC)
      keyEvents.receive(packet.readUInt32BE(4), packet.readUInt32BE(8), packet.subarray(12))
    if (type !== 0 && type !== 8) return
    const samples = decodeG711(packet.subarray(12), type === 8 ? 'alaw' : 'ulaw')
    packets.push({ at: packet.readUInt32BE(4), samples })
  })

  function send(type: number, payload: Uint8Array, timestamp: number): void {
    const packet = Buffer.alloc(12 + payload.length)
    packet[0] = 0x80
    packet[1] = type
    packet.writeUInt16BE(sequence & 0xffff, 2)
    packet.writeUInt32BE(timestamp >>> 0, 4)
    packet.writeUInt32BE(0x50d, 8)
    packet.set(payload, 12)
    sequence += 1
    if (to) socket.send(packet, to.port, to.address)
    sentAt.push(Date.now())
  }

  const silence = encodeG711(new Int16Array(SAMPLES), 'alaw')
  const timer = setInterval(() => {
    const at = sound ? (sequence * SAMPLES) % sound.length : 0
    send(8, sound?.subarray(at, at + SAMPLES) ?? silence, sequence * SAMPLES)
  }, PACKET_MS)

  const heard = () => join(...packets.map(({ samples }) => samples))

  return {
    port: socket.address().port,
    describe: (host: string) => audioDescription(host, socket.address().port, 'sendrecv', KEYS),
    aim(target: { address: string; port: number } | null): void {
      to = target
    },
    plays(number: number): void {
      sound = encodeG711(signature(number, 400), 'alaw')
    },
    fallsSilent(): void {
      sound = null
    },
    /** A key as a tone in the audio, without an event. */
    async playKey(key: string): Promise<void> {
      const before = sound
      sound = encodeG711(join(tone({ hz: frequenciesOf(key) ?? [], ms: KEY_MS })), 'alaw')
      const last = sequence + KEY_MS / PACKET_MS
      await eventually(() => sequence >= last, 'the packets of the tone')
      sound = before
    },
    press(key: string): void {
      const timestamp = sequence * SAMPLES
      for (const [duration, isEnd] of [
        [160, false],
        [320, false],
        [480, true],
        [480, true],
        [480, true],
      ] as const) {
        const payload = keyPayload(key, duration, isEnd)
        if (payload) send(KEYS, payload, timestamp)
      }
    },
    /** Seconds of sound sent since a time. Fewer than have passed if the machine stopped. */
    sentSince: (time: number): number => (sentAt.filter((at) => at >= time).length * PACKET_MS) / 1_000,
    /** Keys of the other side, as telephone events. */
    keys: (): string => keys.join(''),
    /** Payload types of the received packets. */
    types: () => [...received],
    /** Signatures since the start, or since `forget`. */
    hears: (): number[] => recognize(heard()),
    /** Seconds of sound since the start, or since `forget`. */
    heardSeconds: (): number => (packets.length * PACKET_MS) / 1_000,
    /** Seconds of the ringback tone since the start, or since `forget`. */
    hearsRingback: (): number => ringbackSeconds(heard()),
    forget(): void {
      packets = []
    },
    close(): void {
      clearInterval(timer)
      socket.close()
    },
  }
}
