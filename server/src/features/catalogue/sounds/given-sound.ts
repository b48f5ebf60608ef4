import { Refusal } from '@trunkline/contract/errors'
import { soundFaults } from '@trunkline/contract/messages'
import type { Audio, EncodedSound } from '../../../platform/audio.ts'

/** Encodes a WAV file that was sent as base64, or refuses it with the reason. */
export async function encodeGiven(
  audio: Pick<Audio, 'encode'>,
  wav: string,
): Promise<Extract<EncodedSound, { ok: true }>> {
  const result = await audio.encode(new Uint8Array(Buffer.from(wav, 'base64')))
  if (result.ok) return result
  const message = soundFaults[result.fault]
  throw new Refusal('sound_invalid', message, [{ field: 'wav', message }])
}
