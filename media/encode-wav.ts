import { encode } from './encode.ts'
import type { Encoded } from './endpoint.ts'
import { decodeG711 } from './g711.ts'
import { isSilent, normalize } from './loudness.ts'
import { RATE, resample } from './resample.ts'
import { readWav, type WavFault, writeWav } from './wav.ts'

export type SoundFault = WavFault | 'too_long' | 'silent'

export type EncodedWav =
  | { readonly ok: true; readonly sound: Encoded; readonly seconds: number }
  | { readonly ok: false; readonly fault: SoundFault }

/** Turns an uploaded WAV file into a prompt: one channel, 8,000 Hz, the usual loudness, both laws. */
export async function encodeWav(file: Uint8Array, maxSeconds: number): Promise<EncodedWav> {
  const wav = readWav(file)
  if (!wav.ok) return wav
  if (wav.samples.length > maxSeconds * wav.rate) return { ok: false, fault: 'too_long' }
  const samples = await resample(wav.samples, wav.rate)
  if (samples.length === 0) return { ok: false, fault: 'empty' }
  if (isSilent(samples)) return { ok: false, fault: 'silent' }
  return { ok: true, sound: encode(normalize(samples)), seconds: samples.length / RATE }
}

/** A WAV file of 16 bits that every browser plays. */
export const alawToWav = (alaw: Uint8Array): Buffer => writeWav([decodeG711(alaw, 'alaw')])
