/** RTP packets (RFC 3550). */

export const SAMPLES = 160
export const HEADER = 12

/** Fields of the last packet that was read. Reused, so that 50 packets per second and call make no garbage. */
export type RtpFields = {
  type: number
  hasMarker: boolean
  sequence: number
  timestamp: number
  source: number
  /** Position of the payload. */
  start: number
  length: number
}

export const noFields = (): RtpFields => ({
  type: 0,
  hasMarker: false,
  sequence: 0,
  timestamp: 0,
  source: 0,
  start: 0,
  length: 0,
})

/** Returns false for everything that is not a well-formed RTP packet. */
export function readRtp(packet: Buffer, into: RtpFields): boolean {
  if (packet.length < HEADER) return false
  const flags = packet[0] ?? 0
  if (flags >> 6 !== 2) return false
  let start = HEADER + (flags & 0x0f) * 4
  if (flags & 0x10) {
    if (packet.length < start + 4) return false
    start += 4 + packet.readUInt16BE(start + 2) * 4
  }
  const padding = flags & 0x20 ? (packet[packet.length - 1] ?? 0) : 0
  const length = packet.length - start - padding
  if (length < 0) return false
  const second = packet[1] ?? 0
  into.type = second & 0x7f
  into.hasMarker = (second & 0x80) !== 0
  into.sequence = packet.readUInt16BE(2)
  into.timestamp = packet.readUInt32BE(4)
  into.source = packet.readUInt32BE(8)
  into.start = start
  into.length = length
  return true
}

export function writeHeader(
  packet: Buffer,
  type: number,
  hasMarker: boolean,
  sequence: number,
  timestamp: number,
  source: number,
): void {
  packet[0] = 0x80
  packet[1] = type | (hasMarker ? 0x80 : 0)
  packet.writeUInt16BE(sequence & 0xffff, 2)
  packet.writeUInt32BE(timestamp >>> 0, 4)
  packet.writeUInt32BE(source >>> 0, 8)
}
