import { expect } from 'vitest'
import { exitsOf, type Flow, type FlowLogEntry } from '../index.ts'

/** Checks that the log is a walk through the drawing. */
export function checkPath(flow: Flow, log: readonly FlowLogEntry[]): void {
  let expected: string | undefined = flow.start
  let current: string | null = null
  for (const entry of log) {
    if (entry.type === 'entered') {
      expect(current).toBeNull()
      expect(entry.stepId).toBe(expected)
      current = entry.stepId
    }
    if (entry.type === 'left') {
      expect(entry.stepId).toBe(current)
      const left = flow.steps.find(({ id }) => id === entry.stepId)
      if (entry.exit !== null) expect(left && exitsOf(left)).toContain(entry.exit)
      expected = left?.exits[entry.exit ?? '']
      current = null
    }
  }
}
