import { expect, test } from 'vitest'
import { type Flow, flowTemplates, replayOf } from './index.ts'
import { callOf, START, stepOfKind } from './test/examples.ts'

const reception = flowTemplates[0]?.flow('UTC') as Flow

test('a replay lists keys, exits and results of each step', () => {
  const { log } = callOf(
    reception,
    { type: 'key', key: '9', after: 2 },
    { type: 'key', key: '1', after: 1 },
    { type: 'leg', result: 'busy', after: 4 },
    { type: 'played', after: 3 },
    { type: 'message', seconds: 12, after: 12 },
  )
  expect(replayOf(reception, log)).toMatchObject({
    steps: [
      { name: 'Opening hours', enteredAt: START, leftAt: START, exit: 'Open', keys: '', events: [] },
      { name: 'Welcome', kind: 'menu', leftAt: START + 3_000, keys: '91', exit: 'Key 1', events: [] },
      { name: 'Ring', exit: 'Busy', events: ['The line is busy.'] },
      {
        name: 'Voicemail',
        exit: 'After the message',
        events: ['The caller leaves a message of 12 seconds.'],
      },
      { name: 'Hang up', exit: null, leftAt: START + 22_000 },
    ],
    end: 'The flow hangs up.',
  })
})

test('a log that ends early leaves the last step open', () => {
  const { log } = callOf(reception)
  const { steps, end } = replayOf(reception, log)
  expect(steps.at(-1)).toMatchObject({ name: 'Welcome', leftAt: null })
  expect(end).toBeNull()
})

test('steps of a deleted flow are shown by their id', () => {
  const { log } = callOf({ start: 'play', steps: [stepOfKind('play')] }, { type: 'played' })
  expect(replayOf({ start: '', steps: [] }, log).steps).toMatchObject([
    { stepId: 'play', name: 'play', kind: null, exit: 'Then' },
  ])
})
