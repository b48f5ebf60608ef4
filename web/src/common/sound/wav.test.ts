import { expect, it } from 'vitest'
import { encodeWav, nameOfFile, toBase64 } from './wav.ts'

it('writes mono WAV files with 16 bits, and limits loud samples', () => {
  const wav = encodeWav(new Float32Array([0, 0.5, 2, -2]), 16_000)
  const view = new DataView(wav.buffer)
  const text = (at: number, length: number) => String.fromCharCode(...wav.subarray(at, at + length))
  expect([text(0, 4), text(8, 8), text(36, 4)]).toEqual(['RIFF', 'WAVEfmt ', 'data'])
  expect([view.getUint16(22, true), view.getUint32(24, true), view.getUint16(34, true)]).toEqual([
    1, 16_000, 16,
  ])
  expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([wav.length - 8, 8])
  expect([44, 46, 48, 50].map((at) => view.getInt16(at, true))).toEqual([0, 16_384, 32_767, -32_767])
})

it('encodes large files as base64', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256)
  const decoded = Uint8Array.from(atob(toBase64(bytes)), (letter) => letter.charCodeAt(0))
  expect(decoded).toEqual(bytes)
})

it('names a sound after its file', () => {
  expect(nameOfFile('Welcome to us.mp3')).toBe('Welcome to us')
})
