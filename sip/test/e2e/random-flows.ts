import {
  exitsOf,
  type Flow,
  hasErrors,
  problemsOf,
  type Sound,
  type Step,
  type StepKind,
  stepKinds,
} from '@trunkline/domain/flows'
import fc from 'fast-check'
import { newStep } from '../../../domain/flows/test/new-step.ts'
import type { Behavior } from '../../../sandbox/carriers/behavior.ts'

/** Random flows that can be published and whose steps take at most some seconds. */

/** Numbers of forward steps, and what happens to calls to them. */
export const farNumbers: Readonly<Record<string, Behavior>> = {
  '442079460201': { kind: 'echo', ringMs: 50 },
  '442079460202': { kind: 'echo', ringMs: 50, hangUpAfterMs: 600 },
  '442079460203': { kind: 'refuse', code: 486, reason: 'Busy Here' },
  '442079460204': { kind: 'refuse', code: 480, reason: 'Temporarily Unavailable' },
  '442079460205': { kind: 'refuse', code: 404, reason: 'Not Found' },
  '442079460206': { kind: 'rings' },
}

/** Paths of the web server that http steps ask. */
export const webPaths = ['/digits', '/error', '/slow'] as const

const WAIT_SECONDS = 3
const END = 'end'
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const

type Given = { sounds: readonly Sound[]; webUrl: string }
type Fields = { readonly [Kind in StepKind]: fc.Arbitrary<Partial<Step<Kind>>> }

const always = [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 1_440 }]
/** Today, also if the test runs at midnight. */
const today = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(5, 10))

const wait = { repeats: fc.nat({ max: 1 }), seconds: fc.constant(WAIT_SECONDS) }
const text = fc.constantFrom('{{called}}', '{{digits}}', '{{topic}}', '7', '12')

const fieldsOf = (sound: Sound, webUrl: string): Fields => ({
  play: fc.constant({ sound }),
  menu: fc.record({
    sound: fc.constant(sound),
    keys: fc.subarray(['1', '2', '#'] as const, { minLength: 1 }),
    ...wait,
  }),
  collect: fc
    .record({
      fewest: fc.constantFrom(1, 2),
      more: fc.nat({ max: 1 }),
      endKey: fc.constantFrom('#', null),
      ...wait,
    })
    .map(({ fewest, more, ...rest }) => ({ ...rest, sound, minDigits: fewest, maxDigits: fewest + more })),
  hours: fc.record({ open: fc.constantFrom(always, []), holidays: fc.constantFrom([], today) }),
  ring: fc.constant({ destination: { kind: 'phones', steps: [{ devices: 'all', seconds: 5 }] } as const }),
  forward: fc.record({
    number: fc.constantFrom(...Object.keys(farNumbers), '{{digits}}'),
    callerId: fc.constantFrom('number', 'caller'),
    seconds: fc.constant(5),
  }),
  queue: fc.constant({ music: sound, announcesPosition: false, ringSeconds: 5, maxSeconds: 60 }),
  voicemail: fc.constant({ greeting: sound, maxSeconds: 60 }),
  record: fc.record({ turn: fc.constantFrom('on', 'off'), announcement: fc.constantFrom(sound, null) }),
  set: fc.record({ variable: fc.constantFrom('digits', 'topic'), value: text }),
  compare: fc.record({ left: text, comparison: fc.constantFrom('is', 'less_than', 'contains'), right: text }),
  http: fc.constantFrom(...webPaths).map((path) => ({ url: webUrl + path, seconds: 1, saves: ['digits'] })),
  mail: fc.constantFrom('ada@trunkline.example', '{{topic}}').map((to) => ({ to })),
  hangup: fc.constant({}),
})

/** Their exits may lead nowhere, except those of keys. */
const mayEnd: readonly StepKind[] = ['play', 'menu', 'ring', 'forward', 'queue', 'voicemail', 'mail']
/** More steps that ask for keys. */
const kinds = [...stepKinds.filter((kind) => kind !== 'hangup'), 'menu', 'collect', 'menu'] as const

/** Most exits lead to one of the next steps. Those that a key takes lead anywhere, so that calls pass steps several times. */
function stepAt(index: number, { sounds, webUrl }: Given): fc.Arbitrary<Step> {
  const id = ids[index] ?? END
  const sound = sounds[index] as Sound
  const next = [...ids, END].slice(index + 1, index + 3)
  return fc.constantFrom(...kinds).chain((kind) =>
    fieldsOf(sound, webUrl)[kind].chain((own) => {
      const step = { ...newStep(kind, { id, name: `Step ${id}` }), ...own } as Step
      const targets = exitsOf(step).map((exit) => {
        const ofKey = exit.startsWith('key_') || (kind === 'collect' && exit === 'next')
        const last = !ofKey && mayEnd.includes(kind) ? [END, undefined] : [END]
        return fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom(...next) },
          { weight: ofKey ? 4 : 0, arbitrary: fc.constantFrom(...ids) },
          { weight: 1, arbitrary: fc.constantFrom(...last) },
        )
      })
      return fc.tuple(...targets).map((chosen) => {
        const exits = exitsOf(step).flatMap((exit, at) => (chosen[at] ? [[exit, chosen[at]]] : []))
        return { ...step, exits: Object.fromEntries(exits) as Record<string, string> }
      })
    }),
  )
}

export const anyRealFlow = (given: Given): fc.Arbitrary<Flow> =>
  fc
    .tuple(...ids.map((_, index) => stepAt(index, given)))
    .map((steps): Flow => ({ start: ids[0], steps: [...steps, newStep('hangup', { id: END, name: 'End' })] }))
    .filter((flow) => !hasErrors(problemsOf(flow)))
