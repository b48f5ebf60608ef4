import { expect, test } from 'vitest'
import { callLabel, switchLabel } from './switch-names.ts'

test('shortens the generated id of a switch and keeps a chosen name', () => {
  expect(switchLabel('kamailio-5be23919')).toBe('Switch 3919')
  expect(switchLabel('fra-1')).toBe('Switch fra-1')
  expect(switchLabel('demo')).toBe('Demo switch')
})

test('hides the switch in the id of a call', () => {
  expect(callLabel('kamailio-5be23919/a84b4c76e66710')).toBe('a84b4c76e66710')
  expect(callLabel('a84b4c76e66710')).toBe('a84b4c76e66710')
})
