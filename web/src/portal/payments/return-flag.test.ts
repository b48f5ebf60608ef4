import { expect, test } from 'vitest'
import { readReturnFlag } from './return-flag.ts'

test('detects the return from the payment page by either parameter', () => {
  expect(readReturnFlag({ success: true, invoice: 12 })).toEqual({ invoice: 12 })
  expect(readReturnFlag({ invoice: '12' })).toEqual({ invoice: 12 })
  expect(readReturnFlag({ success: 1 })).toEqual({ invoice: null })
  expect(readReturnFlag({ success: 'true', invoice: 'x' })).toEqual({ invoice: null })
})

test('ignores URLs without a valid parameter', () => {
  expect(readReturnFlag({})).toBeNull()
  expect(readReturnFlag({ success: false })).toBeNull()
  expect(readReturnFlag({ invoice: '../1' })).toBeNull()
})
