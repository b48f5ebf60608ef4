import type { Behavior } from './behavior.ts'
import { type Carrier, startCarrier } from './carrier.ts'

/** The last two digits of the number choose the demo carrier's behavior; other numbers get an echo. */
export const demoNumbers: readonly { ending: string; what: string; behavior: Behavior }[] = [
  { ending: '86', what: 'is busy', behavior: { kind: 'refuse', code: 486, reason: 'Busy Here' } },
  { ending: '80', what: 'rings and is never answered', behavior: { kind: 'rings' } },
  { ending: '44', what: 'answers with a tone', behavior: { kind: 'tone' } },
]

export const startDemoCarrier = (options: { host: string; port: number }): Promise<Carrier> =>
  startCarrier({
    ...options,
    behaviorOf: (number) =>
      demoNumbers.find(({ ending }) => number.endsWith(ending))?.behavior ?? { kind: 'echo' },
  })
