/** WAV files: PCM of 8, 16, 24 or 32 bits, and float of 32 or 64 bits. */

export type WavFault =
  /** Not a RIFF file with sound. */
  | 'not_wav'
  /** A codec other than PCM. */
  | 'compressed'
  | 'empty'

export type Wav = { readonly ok: true; readonly samples: Int16Array; readonly rate: number }

const PCM = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe
const MIN_RATE = 4_000
const MAX_RATE = 384_000
const MAX_CHANNELS = 8

type Format = { code: number; channels: number; rate: number; bits: number }

/** Reads a file into one channel of 16 bits. A file that was cut off is read as far as it goes. */
export function readWav(bytes: Uint8Array): Wav | { readonly ok: false; readonly fault: WavFault } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WAVE') return fault('not_wav')
  let format: Format | null = null
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = textAt(bytes, at)
    const size = Math.min(view.getUint32(at + 4, true), bytes.length - at - 8)
    if (name === 'fmt ') format = formatAt(view, at + 8, size)
    if (name === 'data') {
      if (!format) return fault('not_wav')
      return readData(view, at + 8, size, format)
    }
    // Chunks start at even positions.
    at += 8 + size + (size % 2)
  }
  return fault('not_wav')
}

const fault = (name: WavFault) => ({ ok: false, fault: name }) as const

const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))

function formatAt(view: DataView, at: number, size: number): Format | null {
  if (size < 16) return null
  const code = view.getUint16(at, true)
  return {
    code: code === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : code,
    channels: view.getUint16(at + 2, true),
    rate: view.getUint32(at + 4, true),
    bits: view.getUint16(at + 14, true),
  }
}

function readData(view: DataView, at: number, size: number, { code, channels, rate, bits }: Format) {
  const read = readers[`${code} ${bits}`]
  if (code !== PCM && code !== FLOAT) return fault('compressed')
  if (!read || channels < 1 || channels > MAX_CHANNELS || rate < MIN_RATE || rate > MAX_RATE)
    return fault('not_wav')
  const width = bits / 8
  const frames = Math.floor(size / (width * channels))
  if (frames === 0) return fault('empty')
  const samples = new Int16Array(frames)
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++)
      sum += read(view, at + (frame * channels + channel) * width)
    samples[frame] = toInt16(sum / channels)
  }
  return { ok: true, samples, rate } as const
}

/** Samples from -1 to 1, by code and bits. */
const readers: Readonly<Record<string, ((view: DataView, at: number) => number) | undefined>> = {
  [`${PCM} 8`]: (view, at) => (view.getUint8(at) - 128) / 128,
  [`${PCM} 16`]: (view, at) => view.getInt16(at, true) / 32_768,
  [`${PCM} 24`]: (view, at) => (view.getUint16(at, true) + view.getInt8(at + 2) * 65_536) / 8_388_608,
  [`${PCM} 32`]: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  [`${FLOAT} 32`]: (view, at) => view.getFloat32(at, true),
  [`${FLOAT} 64`]: (view, at) => view.getFloat64(at, true),
}

/** Float files may hold values above 1, or no numbers at all. */
function toInt16(value: number): number {
  if (Number.isNaN(value)) return 0
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)))
}

/** Writes 16 bits PCM. Two channels are stereo: the first one is left. The shorter one ends with silence. */
export function writeWav(channels: readonly Int16Array[], rate = 8_000): Buffer {
  const frames = Math.max(0, ...channels.map((channel) => channel.length))
  const head = wavHead(frames, channels.length, rate)
  const file = Buffer.alloc(head.length + frames * channels.length * 2)
  head.copy(file)
  let at = head.length
  for (let frame = 0; frame < frames; frame++)
    for (const channel of channels) at = file.writeInt16LE(channel[frame] ?? 0, at)
  return file
}

/** The 44 bytes before the samples, for a file that is written piece by piece. */
export function wavHead(frames: number, channels: number, rate = 8_000): Buffer {
  const dataSize = frames * channels * 2
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + dataSize, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(PCM, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * channels * 2, 28)
  head.writeUInt16LE(channels * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(dataSize, 40)
  return head
}
