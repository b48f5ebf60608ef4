import { z } from 'zod'

const state = z.strictObject({
  /** Every event and every question is said twice. */
  doubled: z.boolean(),
  /** Events leave so much later, by the switch's clock. */
  delay_ms: z.number().min(0).max(600_000),
  /** And each by a random time up to this, so that they overtake one another. */
  jitter_ms: z.number().min(0).max(600_000),
  /** So many events are gathered and leave with the last first; 0 is off. */
  reversed: z.number().int().min(0).max(10_000),
  /** What call control says in vain. */
  ignores: z.array(z.enum(['extend', 'hangup', 'list', 'ack'])),
  /** Nothing is said and nothing heard, though the connection stands. Calls go on. */
  frozen: z.boolean(),
  /** Trunks (by id) whose carrier answers this code whatever the call's plan says. */
  carriers: z.record(z.string().regex(/^\d+$/), z.number().int().min(300).max(699)),
})
export type SwitchFaults = z.output<typeof state>
export const faultChange = state.partial()
export type FaultChange = z.output<typeof faultChange>

const HONEST: SwitchFaults = {
  doubled: false,
  delay_ms: 0,
  jitter_ms: 0,
  reversed: 0,
  ignores: [],
  frozen: false,
  carriers: {},
}

/** The faults as they stand; a restarted switch is an honest one. */
export function createFaults(onChange: (faults: SwitchFaults) => void) {
  let current = HONEST
  const set = (next: SwitchFaults) => {
    current = next
    onChange(current)
    return current
  }
  return {
    get: () => current,
    change: (change: FaultChange) => set({ ...current, ...faultChange.parse(change) }),
    reset: () => set(HONEST),
  }
}
export type Faults = ReturnType<typeof createFaults>
