import type { Behaviour } from './behaviour.ts'
import { type Carrier, startCarrier } from './carrier.ts'

/** The carrier of the demo: the end of the called number says what happens, anything else is an echo. */
export const demoNumbers: readonly { ending: string; what: string; behaviour: Behaviour }[] = [
  { ending: '86', what: 'is busy', behaviour: { kind: 'refuse', code: 486, reason: 'Busy Here' } },
  { ending: '80', what: 'rings and is never answered', behaviour: { kind: 'rings' } },
  { ending: '44', what: 'answers with a tone', behaviour: { kind: 'tone' } },
]

export const startDemoCarrier = (options: { host: string; port: number }): Promise<Carrier> =>
  startCarrier({
    ...options,
    behaviourOf: (number) =>
      demoNumbers.find(({ ending }) => number.endsWith(ending))?.behaviour ?? { kind: 'echo' },
  })
