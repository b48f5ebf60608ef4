import { createSocket, type Socket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'

/** An end of a call that sends RTP with gaps and RTCP sender reports about what the other end loses. */
export type RtpEnd = {
  port: number
  heard(): number
  talk(target: { address: string; port: number }, options: TalkOptions): Promise<void>
  close(): void
}

type TalkOptions = {
  packets: number
  /** Every n-th packet is lost on its way. 0 loses none. */
  losesEvery?: number
  /** What this end reports: loss in percent, and jitter in milliseconds. */
  reports?: { lossPercent: number; jitterMs: number; about: number }
}

const PACKET_MS = 20
const REPORT_EVERY = 25
const NTP_OFFSET = 2_208_988_800

export async function openRtpEnd(ssrc: number, address = '127.0.0.1'): Promise<RtpEnd> {
  const { rtp, rtcp, port } = await openPair(address)
  let heard = 0
  /** Middle bits of the last report of the other end, and when it arrived. The round trip is computed from them. */
  let last: { stamp: number; at: number } | null = null
  rtp.on('message', () => {
    heard += 1
  })
  rtcp.on('message', (packet) => {
    if (packet[1] === 200) last = { stamp: packet.readUInt32BE(10), at: performance.now() }
  })

  function packetOf(sequence: number): Buffer {
    const packet = Buffer.alloc(172)
    packet[0] = 0x80
    packet[1] = 8
    packet.writeUInt16BE(sequence, 2)
    packet.writeUInt32BE(sequence * 160, 4)
    packet.writeUInt32BE(ssrc, 8)
    return packet
  }

  function reportOf(
    sent: number,
    { lossPercent, jitterMs, about }: NonNullable<TalkOptions['reports']>,
  ): Buffer {
    const packet = Buffer.alloc(52)
    const now = Date.now() / 1000 + NTP_OFFSET
    packet[0] = 0x81
    packet[1] = 200
    packet.writeUInt16BE(12, 2)
    packet.writeUInt32BE(ssrc, 4)
    packet.writeUInt32BE(Math.floor(now), 8)
    packet.writeUInt32BE(Math.floor((now % 1) * 2 ** 32), 12)
    packet.writeUInt32BE(sent * 160, 16)
    packet.writeUInt32BE(sent, 20)
    packet.writeUInt32BE(sent * 160, 24)
    packet.writeUInt32BE(about, 28)
    packet[32] = Math.round((lossPercent / 100) * 256)
    packet.writeUIntBE(Math.round((sent * lossPercent) / 100), 33, 3)
    packet.writeUInt32BE(sent, 36)
    packet.writeUInt32BE(jitterMs * 8, 40)
    packet.writeUInt32BE(last?.stamp ?? 0, 44)
    packet.writeUInt32BE(last ? Math.round((performance.now() - last.at) * 65.536) : 0, 48)
    return packet
  }

  return {
    port,
    heard: () => heard,
    async talk(target, { packets, losesEvery = 0, reports }) {
      for (let sequence = 1; sequence <= packets; sequence++) {
        if (losesEvery === 0 || sequence % losesEvery !== 0)
          rtp.send(packetOf(sequence), target.port, target.address)
        if (reports && sequence % REPORT_EVERY === 0)
          rtcp.send(reportOf(sequence, reports), target.port + 1, target.address)
        await pause(PACKET_MS)
      }
    },
    close() {
      rtp.close()
      rtcp.close()
    },
  }
}

/** RTP has an even port, RTCP the next one. */
async function openPair(address: string): Promise<{ rtp: Socket; rtcp: Socket; port: number }> {
  for (;;) {
    const rtp = createSocket('udp4')
    await new Promise<void>((resolve) => rtp.bind(0, address, resolve))
    const { port } = rtp.address()
    const rtcp = createSocket('udp4')
    const isFree = await new Promise<boolean>((resolve) => {
      rtcp.once('error', () => resolve(false))
      rtcp.bind(port + 1, address, () => resolve(true))
    })
    if (isFree && port % 2 === 0) return { rtp, rtcp, port }
    rtp.close()
    rtcp.close()
  }
}
