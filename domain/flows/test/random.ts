import fc from 'fast-check'
import { exitsOf, type Flow, type FlowEvent, keys, type Step, stepKinds } from '../index.ts'
import { START } from './examples.ts'
import { newStep } from './new-step.ts'

/** Random flows, also with exits that lead nowhere, and random events. */

const sound = fc.constantFrom(
  { kind: 'text', text: 'Hello {{caller}} {{digits}}', language: 'en' } as const,
  { kind: 'text', text: '', language: 'de' } as const,
  { kind: 'file', soundId: 1 } as const,
)

/** Fields that change how a step runs. Each kind takes those that it has. */
const fields = fc.record({
  sound,
  music: sound,
  greeting: fc.option(sound),
  announcement: fc.option(sound),
  keys: fc.subarray([...keys]),
  repeats: fc.integer({ min: 0, max: 3 }),
  seconds: fc.integer({ min: 1, max: 30 }),
  minDigits: fc.integer({ min: 1, max: 4 }),
  maxDigits: fc.integer({ min: 1, max: 4 }),
  endKey: fc.constantFrom('#', '*', null),
  holidays: fc.constantFrom([], ['11-17']),
  number: fc.constantFrom('442079460123', '{{digits}}', ''),
  announcesPosition: fc.boolean(),
  maxSeconds: fc.integer({ min: 5, max: 90 }),
  turn: fc.constantFrom('on', 'off'),
  left: fc.constantFrom('{{caller}}', '{{digits}}', '1'),
  saves: fc.constantFrom([], ['digits'], ['constructor', 'name']),
})

const ids = ['a', 'b', 'c', 'd', 'e', 'f']
const target = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...ids) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, 'missing') },
)

const stepWith = (id: string): fc.Arbitrary<Step> =>
  fc.tuple(fc.constantFrom(...stepKinds), fields).chain(([kind, given]) => {
    const blank = newStep(kind, { id })
    const own = Object.fromEntries(Object.entries(given).filter(([name]) => name in blank))
    const step = { ...blank, ...own } as Step
    const exits = exitsOf(step)
    return fc.array(target, { minLength: exits.length, maxLength: exits.length }).map((targets) => ({
      ...step,
      exits: Object.fromEntries(
        exits.flatMap((exit, index) => (targets[index] === undefined ? [] : [[exit, targets[index]]])),
      ) as Record<string, string>,
    }))
  })

export const anyFlow: fc.Arbitrary<Flow> = fc.record({
  start: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  steps: fc.tuple(...ids.map(stepWith)),
})

const variables = fc.constantFrom({}, { digits: '12' }, { name: 'x'.repeat(300) })

const happening = fc.oneof(
  fc.record({ type: fc.constant('key'), key: fc.constantFrom(...keys, 'A') }),
  fc.record({
    type: fc.constant('leg'),
    result: fc.constantFrom('answered', 'no_answer', 'busy', 'failed', 'hung_up'),
  }),
  fc.record({ type: fc.constant('queue'), position: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('http'), status: fc.constantFrom(200, 404, 500), variables }),
  fc.record({ type: fc.constant('http_failed'), isTimeout: fc.boolean(), reason: fc.constant('refused') }),
  fc.record({ type: fc.constant('recording'), isOn: fc.boolean() }),
  fc.record({ type: fc.constant('message'), seconds: fc.integer({ min: 0, max: 90 }) }),
  fc.record({ type: fc.constant('started'), variables }),
  fc.record({
    type: fc.constantFrom(
      'played',
      'played',
      'timeout',
      'timeout',
      'play_failed',
      'queue_full',
      'message_failed',
      'recording_failed',
      'mailed',
      'mail_failed',
    ),
  }),
)

const timed = fc.tuple(happening, fc.integer({ min: 0, max: 40_000 }))

/** Begins with `started`. Most events do not fit the state of the flow. */
export const anyEvents: fc.Arbitrary<readonly FlowEvent[]> = fc
  .array(timed, { maxLength: 120 })
  .map((list) => {
    let at = START
    const events: FlowEvent[] = [{ at, type: 'started', variables: { caller: '4930123' } }]
    for (const [event, after] of list) {
      at += after
      events.push({ ...event, at } as FlowEvent)
    }
    return events
  })
