import type { Encoded } from './endpoint.ts'
import { encodeG711 } from './g711.ts'

/** Encodes sound of 8,000 samples per second once, in both laws. */
export const encode = (samples: Int16Array): Encoded => ({
  alaw: encodeG711(samples, 'alaw'),
  ulaw: encodeG711(samples, 'ulaw'),
})
