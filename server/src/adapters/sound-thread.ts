import { parentPort, workerData } from 'node:worker_threads'
import { SOUND_SECONDS_MAX } from '@trunkline/contract/limits'
import { encodeWav } from '@trunkline/media/encode-wav'

parentPort?.postMessage(await encodeWav(workerData, SOUND_SECONDS_MAX))
