import { describe, expect, test } from 'vitest'
import {
  isRefusalWindowOver,
  MAX_RECORDED_REFUSALS,
  nextRefusal,
  REFUSAL_WINDOW_MS,
  type RefusalWindow,
} from './refusal-window.ts'

function refuse(times: number, nowMs: number, from?: RefusalWindow) {
  let window = from
  let recorded = 0
  for (let count = 0; count < times; count++) {
    const next = nextRefusal(window, nowMs)
    window = next.window
    if (next.isRecorded) recorded++
  }
  return { window, recorded }
}

describe('refusals', () => {
  test('are recorded up to the limit of the window, then only counted', () => {
    const { window, recorded } = refuse(MAX_RECORDED_REFUSALS + 100, 1_000)
    expect(recorded).toBe(MAX_RECORDED_REFUSALS)
    expect(window).toMatchObject({ recorded: MAX_RECORDED_REFUSALS, counted: 100 })
  })

  test('are recorded again in the next window, which keeps the count', () => {
    const { window } = refuse(MAX_RECORDED_REFUSALS + 5, 0)
    expect(window && isRefusalWindowOver(window, REFUSAL_WINDOW_MS - 1)).toBe(false)
    const later = refuse(1, REFUSAL_WINDOW_MS, window)
    expect(later.recorded).toBe(1)
    expect(later.window).toMatchObject({ recorded: 1, counted: 5 })
  })
})
