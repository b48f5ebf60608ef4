/** G.711 (ITU-T). One byte is a sample of 1/8000 second. */

export type Law = 'alaw' | 'ulaw'

/** The byte for a sample of 0. */
export const SILENCE: Readonly<Record<Law, number>> = { alaw: 0xd5, ulaw: 0xff }

const BIAS = 0x84
const MAX_ULAW = 32_635

function alawToLinear(byte: number): number {
  const value = byte ^ 0x55
  const exponent = (value & 0x70) >> 4
  const mantissa = (value & 0x0f) << 4
  const magnitude = exponent === 0 ? mantissa + 8 : (mantissa + 0x108) << (exponent - 1)
  return value & 0x80 ? magnitude : -magnitude
}

function ulawToLinear(byte: number): number {
  const value = ~byte & 0xff
  const magnitude = ((((value & 0x0f) << 3) + BIAS) << ((value & 0x70) >> 4)) - BIAS
  return value & 0x80 ? -magnitude : magnitude
}

function linearToAlaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0
  const magnitude = sample >= 0 ? sample : -sample - 1
  const exponent = magnitude < 256 ? 0 : 24 - Math.clz32(magnitude)
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return (sign | (exponent << 4) | mantissa) ^ 0x55
}

function linearToUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(MAX_ULAW, Math.abs(sample)) + BIAS
  const exponent = 24 - Math.clz32(magnitude)
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

const encoders: Readonly<Record<Law, Uint8Array>> = {
  alaw: Uint8Array.from({ length: 65_536 }, (_, at) => linearToAlaw(at - 32_768)),
  ulaw: Uint8Array.from({ length: 65_536 }, (_, at) => linearToUlaw(at - 32_768)),
}

const decoders: Readonly<Record<Law, Int16Array>> = {
  alaw: Int16Array.from({ length: 256 }, (_, byte) => alawToLinear(byte)),
  ulaw: Int16Array.from({ length: 256 }, (_, byte) => ulawToLinear(byte)),
}

export const ULAW_TO_ALAW = translation('ulaw', 'alaw')
export const ALAW_TO_ULAW = translation('alaw', 'ulaw')

function translation(from: Law, to: Law): Uint8Array {
  return Uint8Array.from(
    { length: 256 },
    (_, byte) => encoders[to][(decoders[from][byte] ?? 0) + 32_768] ?? 0,
  )
}

export function encodeG711(samples: Int16Array, law: Law): Uint8Array {
  const table = encoders[law]
  const bytes = new Uint8Array(samples.length)
  for (let i = 0; i < samples.length; i++) bytes[i] = table[(samples[i] ?? 0) + 32_768] ?? 0
  return bytes
}

export function decodeG711(bytes: Uint8Array, law: Law): Int16Array {
  const table = decoders[law]
  const samples = new Int16Array(bytes.length)
  for (let i = 0; i < bytes.length; i++) samples[i] = table[bytes[i] ?? 0] ?? 0
  return samples
}

/** Copies G.711, and changes the law if needed. */
export function copyG711(
  source: Uint8Array,
  start: number,
  length: number,
  from: Law,
  target: Uint8Array,
  at: number,
  to: Law,
): void {
  if (from === to) {
    for (let i = 0; i < length; i++) target[at + i] = source[start + i] ?? 0
    return
  }
  const table = from === 'alaw' ? ALAW_TO_ULAW : ULAW_TO_ALAW
  for (let i = 0; i < length; i++) target[at + i] = table[source[start + i] ?? 0] ?? 0
}
