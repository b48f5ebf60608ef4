import { type Carrier, startCarrier } from '@trunkline/sandbox/carriers/carrier'
import { ECHO_SECONDS } from './switch-settings.ts'

const RING_MS = 200

/** Answers calls to `echo` with what they say. It hears the switch of this machine alone. */
export const startEcho = (): Promise<Carrier> =>
  startCarrier({
    behaviourOf: () => ({ kind: 'echo', ringMs: RING_MS, hangUpAfterMs: ECHO_SECONDS * 1_000 }),
  })
