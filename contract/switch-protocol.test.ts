import { expect, it } from 'vitest'
import { toSwitch } from './switch-protocol.ts'

it('has no message with a field that the numbering uses', () => {
  const fields = toSwitch.options.flatMap(({ shape }) => Object.keys(shape))
  expect(fields).toContain('number')
  expect(fields).not.toContain('sequence')
  expect(fields).not.toContain('end')
})
