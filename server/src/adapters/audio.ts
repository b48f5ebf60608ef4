import { Worker } from 'node:worker_threads'
import { encode } from '@trunkline/media/encode'
import { alawToWav } from '@trunkline/media/encode-wav'
import { speak } from '@trunkline/media/speech'
import type { Audio, EncodedSound } from '../platform/audio.ts'
import { createTurns } from '../platform/turns.ts'

const THREAD = new URL('./sound-thread.ts', import.meta.url)

/** Two minutes of stereo at 48 kHz take about a second of one core. In the process, they would block it for 150 ms. */
const AT_ONCE = { atOnce: 1, waiting: 20 }

/** Encodes uploads in a thread, so that they do not delay other requests. */
export function createAudio(): Audio {
  const inTurn = createTurns(AT_ONCE)
  return {
    encode: (wav) => inTurn(0, () => encodeInThread(wav)),
    toWav: alawToWav,
    async speak(text, language) {
      const samples = await speak(text, language)
      return samples && encode(samples)
    },
  }
}

const encodeInThread = (wav: Uint8Array<ArrayBuffer>): Promise<EncodedSound> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: wav, transferList: [wav.buffer] })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the thread ended without a sound')))
  })
