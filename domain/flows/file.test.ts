import { expect, test } from 'vitest'
import { exportFlow, type Flow, flowTemplates, importFlow } from './index.ts'

const flow = flowTemplates[0]?.flow('Europe/London') as Flow

test('an exported flow can be imported', () => {
  const text = exportFlow({ name: 'Main line', flow })
  expect(JSON.parse(text)).toMatchObject({
    format: 'trunkline-flow',
    version: 1,
    name: 'Main line',
    start: 'hours',
  })
  expect(importFlow(text)).toEqual({ name: 'Main line', flow })
})

test.each([
  ['{', 'not_json'],
  ['null', 'not_a_flow'],
  ['[]', 'not_a_flow'],
  ['{"start":"a","steps":[]}', 'not_a_flow'],
  ['{"format":"trunkline-flow","version":1,"start":"a","steps":{}}', 'not_a_flow'],
  ['{"format":"trunkline-flow","version":2,"start":"a","steps":[]}', 'newer_version'],
])('%s is refused: %s', (text, fault) => {
  expect(importFlow(text)).toBe(fault)
})
