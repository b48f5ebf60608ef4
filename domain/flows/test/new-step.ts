import { RING_SECONDS } from '../../ringing/index.ts'
import type { Sound, Step, StepKind } from '../flow.ts'

const speak = (text: string): Sound => ({ kind: 'text', text, language: 'en' })

const weekdays = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 17 * 60 }

/** Fields of each kind that have no problems. */
const fields: {
  readonly [Kind in StepKind]: Omit<Step<Kind>, 'id' | 'name' | 'x' | 'y' | 'exits' | 'kind'>
} = {
  play: { sound: speak('Thank you for calling.') },
  menu: {
    sound: speak('For sales, press 1. For support, press 2.'),
    keys: ['1', '2'],
    repeats: 2,
    seconds: 5,
  },
  collect: {
    sound: speak('Please enter your customer number, followed by the hash key.'),
    variable: 'digits',
    minDigits: 1,
    maxDigits: 10,
    endKey: '#',
    repeats: 2,
    seconds: 5,
  },
  hours: { timeZone: 'UTC', open: [weekdays], holidays: [] },
  ring: { destination: { kind: 'phones', steps: [{ devices: 'all', seconds: RING_SECONDS }] } },
  forward: { number: '442079460123', callerId: 'number', seconds: RING_SECONDS },
  queue: {
    music: speak('Please hold. We will be with you shortly.'),
    announcesPosition: true,
    devices: 'all',
    ringSeconds: RING_SECONDS,
    maxSeconds: 300,
    maxWaiting: 10,
  },
  voicemail: { greeting: null, maxSeconds: 120 },
  record: { turn: 'on', announcement: speak('This call is recorded.') },
  set: { variable: 'topic', value: 'sales' },
  compare: { left: '{{caller}}', comparison: 'starts_with', right: '49' },
  http: { url: 'https://crm.example/calls', seconds: 5, saves: [] },
  mail: { to: 'ada@example.com', subject: 'Call from {{caller}}', text: '{{caller}} called {{called}}.' },
  hangup: {},
}

type Place = { readonly id: string; readonly name?: string; readonly x?: number; readonly y?: number }

/** A step with default fields and no connected exits. */
export const newStep = <Kind extends StepKind>(
  kind: Kind,
  { id, name = '', x = 0, y = 0 }: Place,
): Step<Kind> => ({ id, name, x, y, exits: {}, kind, ...fields[kind] }) as unknown as Step<Kind>
