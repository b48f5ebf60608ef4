import { z } from 'zod'

const state = z.strictObject({
  /** Sends every event and request twice. */
  doubled: z.boolean(),
  /** Delays events, by the switch's clock. */
  delay_ms: z.number().min(0).max(600_000),
  /** Adds a random delay up to this value, so that events arrive out of order. */
  jitter_ms: z.number().min(0).max(600_000),
  /** Collects this many events and sends them in reverse order; 0 is off. */
  reversed: z.number().int().min(0).max(10_000),
  /** Message types of call control to ignore. */
  ignores: z.array(z.enum(['extend', 'hangup', 'list', 'ack'])),
  /** Neither sends nor reads, although the connection is open. Calls continue. */
  frozen: z.boolean(),
  /** SIP code by trunk ID that overrides the planned reply of its carrier. */
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

/** The current faults; a restart resets them. */
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
