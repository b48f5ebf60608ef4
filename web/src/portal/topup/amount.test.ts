import { expect, test } from 'vitest'
import { chosenAmount, faultIn, nothingChosen, togglePreset, typeAmount } from './amount.ts'

test('toggles a preset and switches to another', () => {
  const on = togglePreset(nothingChosen, 1000)
  expect(chosenAmount(on)).toBe(1000)
  expect(chosenAmount(togglePreset(on, 1000))).toBeNull()
  expect(chosenAmount(togglePreset(on, 5000))).toBe(5000)
})

test('typing clears the preset, and a preset clears the typed amount', () => {
  expect(typeAmount('25')).toEqual({ preset: null, typed: '25' })
  expect(togglePreset(typeAmount('25'), 2000)).toEqual({ preset: 2000, typed: '' })
})

test.each([
  ['0.01', 0.01],
  ['.5', 0.5],
  ['149.99', 149.99],
  ['10000', 10000],
  ['10000.00', 10000],
  ['', null],
  ['0', null],
  ['-5', null],
  ['10000.01', null],
  ['0.001', null],
  ['x', null],
])('typing "%s" selects %s', (typed, amount) => {
  expect(chosenAmount(typeAmount(typed))).toBe(amount)
})

test('describes an invalid amount', () => {
  expect(faultIn(typeAmount('10001'))).toBe('Please enter an amount of at most $10000.')
  expect(faultIn(typeAmount('1.005'))).toBe('Please enter an amount with at most two decimals.')
  expect(faultIn(typeAmount('-1'))).toBe('Please select or enter an amount.')
  for (const valid of ['', '0', '0.5', '10000']) expect(faultIn(typeAmount(valid))).toBeNull()
})
