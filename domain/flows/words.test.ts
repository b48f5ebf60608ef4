import { describe, expect, test } from 'vitest'
import {
  actionText,
  difference,
  eventText,
  exitName,
  exitsOf,
  type Flow,
  type FlowAction,
  type FlowEvent,
  flowTemplates,
  type Step,
  stepKinds,
} from './index.ts'
import { stepOfKind, text } from './test/examples.ts'

test('every exit of every step has a name', () => {
  for (const kind of stepKinds)
    for (const exit of exitsOf(stepOfKind(kind))) expect(exitName(kind, exit)).not.toBe(exit)
  expect(exitName('queue', 'timeout')).toBe('Waited too long')
  expect(exitName('menu', 'key_*')).toBe('Key *')
})

test.each<[FlowEvent, string]>([
  [{ at: 0, type: 'leg', result: 'failed', reason: 'no route' }, 'The call fails. Reason: no route.'],
  [{ at: 0, type: 'queue', position: 2 }, 'The caller is number 2 in the queue.'],
  [{ at: 0, type: 'message', seconds: 1.2 }, 'The caller leaves a message of 1 second.'],
  [{ at: 0, type: 'http_failed', isTimeout: false, reason: 'refused' }, 'The request fails: refused.'],
])('tells %j', (event, sentence) => {
  expect(eventText(event)).toBe(sentence)
})

test.each<[FlowAction, string]>([
  [{ type: 'play', sound: { kind: 'file', soundId: 7 } }, 'Plays Welcome'],
  [{ type: 'play', sound: { kind: 'file', soundId: 8 } }, 'Plays a sound from your library'],
  [
    { type: 'play', sound: { kind: 'prompt', name: 'queue_position', value: '3' } },
    'Says the position in the queue: 3',
  ],
  [{ type: 'forward', number: '442079460123', callerId: 'number', seconds: 20 }, 'Calls +442079460123'],
])('describes %j', (action, sentence) => {
  expect(actionText(action, new Map([[7, 'Welcome']]))).toBe(sentence)
})

describe('the difference of two versions', () => {
  const reception = flowTemplates[0]?.flow('UTC') as Flow
  const changed = (id: string, changes: object): Flow => ({
    ...reception,
    steps: reception.steps.map((step) => (step.id === id ? ({ ...step, ...changes } as Step) : step)),
  })

  test('is empty for the same flow, another order of fields and other positions', () => {
    expect(difference(reception, reception)).toEqual([])
    expect(difference(reception, changed('menu', { x: 9, y: 9 }))).toEqual([])
    const reversed = reception.steps.map(
      (step) => Object.fromEntries(Object.entries(step).reverse()) as unknown as Step,
    )
    expect(difference(reception, { ...reception, steps: reversed })).toEqual([])
  })

  test('names changed fields and exits', () => {
    const after = changed('menu', {
      sound: text('Hello.'),
      seconds: 8,
      exits: { key_1: 'voicemail', timeout: 'ring', wrong_key: 'ring', failed: 'ring' },
    })
    expect(difference(reception, after)).toEqual([
      {
        type: 'changed',
        stepId: 'menu',
        name: 'Welcome',
        changes: [
          {
            field: 'Sound',
            before: '“Welcome. To talk to us, press 1. To leave a message, press 2.” (en)',
            after: '“Hello.” (en)',
          },
          { field: 'Seconds', before: '5', after: '8' },
          { field: 'Key 1', before: 'Ring', after: 'Voicemail' },
          { field: 'Key 2', before: 'Voicemail', after: 'Not connected' },
        ],
      },
    ])
  })

  test('names added and removed steps, and a new start', () => {
    const after: Flow = {
      start: 'voicemail',
      steps: [...reception.steps.filter(({ id }) => id !== 'ring'), stepOfKind('play', { name: 'Bye' })],
    }
    expect(difference(reception, after)).toEqual([
      { type: 'start', before: 'Opening hours', after: 'Voicemail' },
      { type: 'removed', stepId: 'ring', name: 'Ring' },
      { type: 'added', stepId: 'play', name: 'Bye' },
    ])
  })

  test.each([
    ['hours', { holidays: ['12-24'] }, 'Holidays', '12-25, 01-01', '12-24'],
    [
      'hours',
      { open: [{ days: [6, 7], from: 600, to: 750 }] },
      'Opening hours',
      'Weekdays 9 to 17',
      'Weekends 10 to 12:30',
    ],
    [
      'ring',
      { destination: { kind: 'phones', steps: [{ devices: 'all', seconds: 30 }] } },
      'Destination',
      'phones and browsers (25 s)',
      'phones and browsers (30 s)',
    ],
    ['voicemail', { greeting: { kind: 'file', soundId: 7 } }, 'Greeting', 'None', 'Welcome'],
  ])('of %s with %j', (id, changes, field, before, after) => {
    expect(difference(reception, changed(id, changes), new Map([[7, 'Welcome']]))).toMatchObject([
      { changes: [{ field, before, after }] },
    ])
  })
})
