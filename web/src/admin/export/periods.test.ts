import { expect, test } from 'vitest'
import { exportDays } from './periods.ts'

const now = new Date(2026, 2, 3, 12)
const none = { from: '', to: '' }

test('a period has whole days and includes today', () => {
  expect(exportDays('7', none, now)).toEqual({ from: '2026-02-25' })
  expect(exportDays('90', none, now)).toEqual({ from: '2025-12-04' })
  expect(exportDays('month', none, now)).toEqual({ from: '2026-03-01' })
  expect(exportDays('all', { from: '2026-01-01', to: '' }, now)).toEqual({})
})

test('a custom range ignores invalid days', () => {
  expect(exportDays('custom', { from: '2026-01-01', to: '2026-02-30' }, now)).toEqual({
    from: '2026-01-01',
    to: undefined,
  })
})
