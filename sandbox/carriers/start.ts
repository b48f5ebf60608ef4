import type { Behavior } from './behavior.ts'
import { type Carrier, startCarrier } from './carrier.ts'

/** The last two digits of the number choose the demo carrier's behavior; other numbers get an echo. */
export const demoNumbers: readonly { ending: string; what: string; behavior: Behavior }[] = [
  { ending: '86', what: 'is busy', behavior: { kind: 'refuse', code: 486, reason: 'Busy Here' } },
  { ending: '80', what: 'rings and is never answered', behavior: { kind: 'rings' } },
  { ending: '44', what: 'answers with a tone', behavior: { kind: 'tone' } },
]

/** What phones outside do when a customer calls them. */
export const habits = {
  by_number: 'do what the last digits say',
  busy: 'are busy',
  no_answer: 'ring and never answer',
  declined: 'decline',
} as const
export type Habit = keyof typeof habits

const behaviors: Record<Exclude<Habit, 'by_number'>, Behavior> = {
  busy: { kind: 'refuse', code: 486, reason: 'Busy Here' },
  no_answer: { kind: 'rings' },
  declined: { kind: 'refuse', code: 603, reason: 'Decline' },
}

export type DemoCarrier = Carrier & { habit(): Habit; setHabit(habit: Habit): void }

export async function startDemoCarrier(options: { host: string; port: number }): Promise<DemoCarrier> {
  let habit: Habit = 'by_number'
  const byNumber = (number: string): Behavior =>
    demoNumbers.find(({ ending }) => number.endsWith(ending))?.behavior ?? { kind: 'echo' }
  const carrier = await startCarrier({
    ...options,
    behaviorOf: (number) => (habit === 'by_number' ? byNumber(number) : behaviors[habit]),
  })
  return {
    ...carrier,
    habit: () => habit,
    setHabit: (next) => {
      habit = next
    },
  }
}
