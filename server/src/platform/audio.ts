import type { SoundFault } from '@trunkline/contract/messages'
import type { Language } from '@trunkline/domain/flows'
import type { Encoded } from '@trunkline/media/endpoint'

export type EncodedSound =
  | { readonly ok: true; readonly sound: Encoded; readonly seconds: number }
  | { readonly ok: false; readonly fault: SoundFault }

/** Work on sound. */
export type Audio = {
  /** Decodes a WAV file, normalizes its loudness and encodes it. The bytes cannot be used afterwards. */
  encode(wav: Uint8Array<ArrayBuffer>): Promise<EncodedSound>
  /** A WAV file, 16 bits. */
  toWav(alaw: Uint8Array): Uint8Array
  /** Null if this server has no voice. */
  speak(text: string, language: Language): Promise<Encoded | null>
}
