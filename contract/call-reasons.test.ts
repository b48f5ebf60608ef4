import { endReasons, refusalReasons } from '@trunkline/domain/callcontrol'
import { describe, expect, test } from 'vitest'
import { reasonTexts, sipCodes } from './call-reasons.ts'

describe('call reasons', () => {
  test('each has a unique sentence', () => {
    const reasons = [...refusalReasons, ...endReasons]
    expect(Object.keys(reasonTexts).sort()).toEqual([...reasons].sort())
    expect(new Set(Object.values(reasonTexts)).size).toBe(reasons.length)
    for (const text of Object.values(reasonTexts)) expect(text).toMatch(/^[A-Z].*\.$/)
  })

  test('each refusal has a final SIP code, and temporary problems have 503', () => {
    expect(Object.keys(sipCodes).sort()).toEqual([...refusalReasons].sort())
    for (const code of Object.values(sipCodes)) expect([402, 403, 404, 480, 482, 486, 503]).toContain(code)
    for (const reason of ['no_trunk', 'trunks_full', 'overloaded', 'unavailable'] as const) {
      expect(sipCodes[reason]).toBe(503)
    }
  })
})
