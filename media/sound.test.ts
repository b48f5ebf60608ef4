import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alawToWav, encodeWav } from './encode-wav.ts'
import { ALAW_TO_ULAW, decodeG711, encodeG711, type Law, ULAW_TO_ALAW } from './g711.ts'
import { loudnessOf, normalize } from './loudness.ts'
import { resample } from './resample.ts'
import { speak } from './speech.ts'
import {
  beep,
  join,
  powerAt,
  recognize,
  ringback,
  ringbackSeconds,
  SIGNATURES,
  signature,
  silence,
  tone,
} from './tones.ts'
import { readWav, wavHead, writeWav } from './wav.ts'

const int16 = fc.integer({ min: -32_768, max: 32_767 })
const energy = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)

describe('G.711', () => {
  it('decodes the reference values', () => {
    expect([...decodeG711(Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a), 'alaw')]).toEqual([8, -8, 32_256, -32_256])
    expect([...decodeG711(Uint8Array.of(0xff, 0x7f, 0x80, 0x00), 'ulaw')]).toEqual([0, 0, 32_124, -32_124])
  })

  it.each<Law>(['alaw', 'ulaw'])('keeps each byte and stays close to each sample (%s)', (law) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const again = encodeG711(decodeG711(bytes, law), law)
    // µ-law has two zeros.
    expect([...again].filter((byte, at) => byte !== at)).toEqual(law === 'ulaw' ? [0xff] : [])
    fc.assert(
      fc.property(int16, (sample) => {
        const [heard = 0] = decodeG711(encodeG711(Int16Array.of(sample), law), law)
        expect(Math.abs(heard - sample)).toBeLessThanOrEqual(16 + Math.abs(sample) / 16)
      }),
    )
  })

  it('changes the law with the smallest loss', () => {
    for (let byte = 0; byte < 256; byte++) {
      const [before = 0] = decodeG711(Uint8Array.of(byte), 'alaw')
      const [after = 0] = decodeG711(Uint8Array.of(ALAW_TO_ULAW[byte] ?? 0), 'ulaw')
      expect(Math.abs(after - before)).toBeLessThanOrEqual(8 + Math.abs(before) / 16)
      const [back = 0] = decodeG711(Uint8Array.of(ULAW_TO_ALAW[ALAW_TO_ULAW[byte] ?? 0] ?? 0), 'alaw')
      expect(Math.abs(back - before)).toBeLessThanOrEqual(16 + Math.abs(before) / 16)
    }
  })
})

describe('WAV files', () => {
  const formats = [
    {
      code: 1,
      bits: 8,
      write: (b: Buffer, v: number, at: number) => b.writeUInt8(Math.round(v * 127) + 128, at),
    },
    {
      code: 1,
      bits: 16,
      write: (b: Buffer, v: number, at: number) => b.writeInt16LE(Math.round(v * 32_767), at),
    },
    {
      code: 1,
      bits: 24,
      write: (b: Buffer, v: number, at: number) => b.writeIntLE(Math.round(v * 8_388_607), at, 3),
    },
    {
      code: 1,
      bits: 32,
      write: (b: Buffer, v: number, at: number) => b.writeInt32LE(Math.round(v * 2_147_483_647), at),
    },
    { code: 3, bits: 32, write: (b: Buffer, v: number, at: number) => b.writeFloatLE(v, at) },
  ]

  it.each(formats)('reads $bits bits of code $code, mono and stereo', ({ code, bits, write }) => {
    for (const channels of [1, 2]) {
      const values = [0, 0.5, -0.5, 0.25, -1, 0.999]
      const width = bits / 8
      const file = Buffer.concat([
        wavHead(0, channels, 48_000),
        Buffer.alloc(values.length * channels * width),
      ])
      file.writeUInt16LE(code, 20)
      file.writeUInt16LE(bits, 34)
      file.writeUInt32LE(file.length - 44, 40)
      values.forEach((value, frame) => {
        for (let channel = 0; channel < channels; channel++)
          write(file, value, 44 + (frame * channels + channel) * width)
      })
      const wav = readWav(file)
      if (!wav.ok) throw new Error(wav.fault)
      expect(wav.rate).toBe(48_000)
      expect(wav.samples.length).toBe(values.length)
      values.forEach((value, at) => {
        expect(Math.abs((wav.samples[at] ?? 0) / 32_768 - value)).toBeLessThan(0.01)
      })
    }
  })

  it('reads what it writes, with other chunks before the sound', () => {
    const samples = tone({ hz: [440], ms: 100 })
    const plain = writeWav([samples])
    const list = Buffer.from('LIST\x05\0\0\0hello\0', 'latin1')
    const file = Buffer.concat([plain.subarray(0, 12), list, plain.subarray(12)])
    expect(readWav(file)).toEqual({ ok: true, samples, rate: 8_000 })
    expect(alawToWav(encodeG711(samples, 'alaw')).length).toBe(44 + samples.length * 2)
  })

  it('mixes stereo into one channel and fills the shorter one', () => {
    const wav = readWav(writeWav([Int16Array.of(100, 200, 300), Int16Array.of(300)]))
    expect(wav.ok && [...wav.samples]).toEqual([200, 100, 150])
  })

  it('names what is wrong with a file', async () => {
    const compressed = writeWav([silence(20)])
    compressed.writeUInt16LE(0x55, 20)
    const faults = [
      Buffer.from('ID3 no sound'),
      Buffer.alloc(0),
      compressed,
      writeWav([]),
      writeWav([silence(500)]),
    ]
    const results = await Promise.all(faults.map((file) => encodeWav(file, 10)))
    expect(results.map((result) => result.ok || result.fault)).toEqual([
      ...['not_wav', 'not_wav', 'compressed', 'not_wav', 'silent'],
    ])
    expect(await encodeWav(writeWav([beep()]), 0.1)).toEqual({ ok: false, fault: 'too_long' })
  })

  it('never throws, whatever the bytes', () => {
    const start = writeWav([tone({ hz: [440], ms: 5 })])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat({ max: 60 }), (noise, at) => {
        const file = Buffer.from(start)
        file.set(noise.subarray(0, Math.max(0, file.length - at)), at)
        readWav(file)
        readWav(noise)
      }),
    )
  })
})

describe('the rate', () => {
  it.each([11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 47_999])(
    'of %i is changed to 8,000 cleanly',
    async (rate) => {
      const at = (hz: number) =>
        Int16Array.from({ length: rate }, (_, i) =>
          Math.round(10_000 * Math.sin((2 * Math.PI * hz * i) / rate)),
        )
      const kept = (await resample(at(1_000), rate)).subarray(400, 7_600)
      expect(powerAt(kept, 0, 7_200, 1_000) / energy(kept)).toBeGreaterThan(0.9999)
      expect(Math.sqrt(energy(kept) / kept.length)).toBeCloseTo(10_000 / Math.SQRT2, -2)
      if (rate / 2 > 5_500) {
        const removed = (await resample(at(5_000), rate)).subarray(400, 7_600)
        expect(Math.sqrt(energy(removed) / removed.length)).toBeLessThan(10)
      }
    },
  )
})

describe('loudness', () => {
  it('is the same for quiet and loud speech with pauses, and never clips', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 32_767 }),
        fc.integer({ min: 0, max: 2_000 }),
        (loudness, pause) => {
          const normal = normalize(join(tone({ hz: [300, 700], ms: 500, loudness }), silence(pause)))
          expect(loudnessOf(normal)).toBeGreaterThan(loudness < 300 ? 1_000 : 2_900)
          expect(loudnessOf(normal)).toBeLessThan(3_500)
          expect(normal.every((sample) => Math.abs(sample) < 32_768)).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('a signature', () => {
  it('is recognized after both laws, and is not another one', () => {
    for (let number = 0; number < SIGNATURES; number++) {
      const law: Law = number % 2 === 0 ? 'alaw' : 'ulaw'
      const heard = join(silence(130), decodeG711(encodeG711(signature(number, 200), law), law), silence(90))
      expect(recognize(heard)).toEqual([number])
    }
  })
})

describe('the ringback tone', () => {
  it('sounds for one second of five, and is no signature', () => {
    const heard = decodeG711(encodeG711(ringback(), 'alaw'), 'alaw')
    expect(heard).toHaveLength(5 * 8_000)
    expect(ringbackSeconds(heard)).toBeCloseTo(1)
    expect(ringbackSeconds(heard.subarray(8_000))).toBe(0)
    expect(recognize(heard)).toEqual([])
    for (let number = 0; number < SIGNATURES; number++) expect(ringbackSeconds(signature(number))).toBe(0)
  })
})

describe('speech', () => {
  it.each(['en', 'de', 'es', 'fr'])('is made in %s', async (language) => {
    const samples = await speak('Hello 123, --help "; rm -rf', language)
    expect(samples?.length).toBeGreaterThan(8_000)
    expect(loudnessOf(samples ?? new Int16Array())).toBeGreaterThan(1_000)
  })

  it('is null without a program, in an unknown language, without words, and after the timeout', async () => {
    expect(await speak('Hello', 'en', { flite: 'no-such-program', espeak: 'nor-this-one' })).toBeNull()
    expect(await speak('Hello', 'xx')).toBeNull()
    expect(await speak('Hello', '../x')).toBeNull()
    expect(await speak(' ... ', 'en')).toBeNull()
    expect(await speak('Hello', 'de', { espeak: '/usr/bin/yes', timeoutMs: 100 })).toBeNull()
  })
})
