import { expect, test } from 'vitest'
import { readReturnFlag } from './return-flag.ts'

test('coming back from the payment page', () => {
  expect(readReturnFlag({ success: true, invoice: 12 })).toEqual({ invoice: 12 })
  expect(readReturnFlag({ invoice: '12' })).toEqual({ invoice: 12 })
  expect(readReturnFlag({ success: 1 })).toEqual({ invoice: null })
  expect(readReturnFlag({ success: 'true', invoice: 'x' })).toEqual({ invoice: null })
})

test('an address without the flag is no return', () => {
  expect(readReturnFlag({})).toBeNull()
  expect(readReturnFlag({ success: false })).toBeNull()
  expect(readReturnFlag({ invoice: '../1' })).toBeNull()
})
