import { type Carrier, startCarrier } from '@trunkline/sandbox/carriers/carrier'
import { ECHO_SECONDS } from './switch-settings.ts'

const RING_MS = 200

/** Plays back the caller's audio for calls to `echo`. It listens on loopback only. */
export const startEcho = (): Promise<Carrier> =>
  startCarrier({
    behaviorOf: () => ({ kind: 'echo', ringMs: RING_MS, hangUpAfterMs: ECHO_SECONDS * 1_000 }),
  })
