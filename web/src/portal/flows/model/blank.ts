import type { Flow, Step, StepKind } from '@trunkline/domain/flows'
import { RING_SECONDS } from '@trunkline/domain/ringing'
import { viewersZone } from '../../../common/format/viewer.ts'

type Fields<Kind extends StepKind> = Omit<Step<Kind>, 'id' | 'name' | 'kind' | 'x' | 'y' | 'exits'>

const speak = (text: string) => ({ kind: 'text', text, language: 'en' }) as const

/** The fields of a new step. */
const fields: { [Kind in StepKind]: () => Fields<Kind> } = {
  play: () => ({ sound: speak('Thank you for calling.') }),
  menu: () => ({
    sound: speak('For sales, press 1. For support, press 2.'),
    keys: ['1', '2'],
    repeats: 2,
    seconds: 5,
  }),
  collect: () => ({
    sound: speak('Please enter your customer number, followed by the hash key.'),
    variable: 'digits',
    minDigits: 1,
    maxDigits: 10,
    endKey: '#',
    repeats: 2,
    seconds: 5,
  }),
  hours: () => ({
    timeZone: viewersZone(),
    open: [{ days: [1, 2, 3, 4, 5], from: 9 * 60, to: 17 * 60 }],
    holidays: [],
  }),
  ring: () => ({ destination: { kind: 'phones', steps: [{ devices: 'all', seconds: RING_SECONDS }] } }),
  forward: () => ({ number: '', callerId: 'number', seconds: RING_SECONDS }),
  queue: () => ({
    music: speak('All lines are busy. Please hold.'),
    announcesPosition: true,
    devices: 'all',
    ringSeconds: RING_SECONDS,
    maxSeconds: 300,
    maxWaiting: 10,
  }),
  voicemail: () => ({ greeting: null, maxSeconds: 120 }),
  record: () => ({ turn: 'on', announcement: speak('This call is recorded.') }),
  set: () => ({ variable: 'topic', value: '' }),
  compare: () => ({ left: '{{caller}}', comparison: 'starts_with', right: '' }),
  http: () => ({ url: '', seconds: 5, saves: [] }),
  mail: () => ({ to: '', subject: 'Call from {{caller}}', text: '{{caller}} called {{called}}.' }),
  hangup: () => ({}),
}

type Place = { id: string; x: number; y: number }

export const blankStep = (kind: StepKind, place: Place): Step =>
  ({ ...place, name: '', kind, exits: {}, ...fields[kind]() }) as Step

export const blankFlow = (): Flow => ({
  start: 'hangup_1',
  steps: [blankStep('hangup', { id: 'hangup_1', x: 0, y: 0 })],
})
