import { RING_SECONDS } from '../ringing/index.ts'
import type { Flow, Sound, Step } from './flow.ts'

/** Flows to start from. They have no problems, so they can be published at once. */
export type FlowTemplate = {
  readonly id: 'reception' | 'opening_hours' | 'ring_everywhere' | 'queue' | 'voicemail'
  readonly name: string
  readonly about: string
  readonly flow: (timeZone: string) => Flow
}

const speak = (text: string): Sound => ({ kind: 'text', text, language: 'en' })

const hours = (timeZone: string, exits: Step['exits']): Step<'hours'> => ({
  id: 'hours',
  name: '',
  x: 0,
  y: 0,
  kind: 'hours',
  timeZone,
  open: [{ days: [1, 2, 3, 4, 5], from: 9 * 60, to: 17 * 60 }],
  holidays: ['12-25', '01-01'],
  exits,
})

const play = (text: string, next: string): Omit<Step<'play'>, 'id' | 'x' | 'y'> => ({
  name: 'Closed',
  kind: 'play',
  sound: speak(text),
  exits: { next, failed: next },
})

const ringAll = (otherwise: string): Omit<Step<'ring'>, 'id' | 'x' | 'y'> => ({
  name: '',
  kind: 'ring',
  destination: { kind: 'phones', steps: [{ devices: 'all', seconds: RING_SECONDS }] },
  exits: { no_answer: otherwise, busy: otherwise, failed: otherwise },
})

const voicemail: Omit<Step<'voicemail'>, 'id' | 'x' | 'y'> = {
  name: '',
  kind: 'voicemail',
  greeting: null,
  maxSeconds: 120,
  exits: { next: 'end', failed: 'end' },
}

const hangUp = (x: number, y: number): Step<'hangup'> => ({
  id: 'end',
  name: '',
  x,
  y,
  kind: 'hangup',
  exits: {},
})

const reception = (timeZone: string): Flow => ({
  start: 'hours',
  steps: [
    hours(timeZone, { open: 'menu', closed: 'closed', holiday: 'closed' }),
    {
      id: 'menu',
      name: 'Welcome',
      x: 320,
      y: -120,
      kind: 'menu',
      sound: speak('Welcome. To talk to us, press 1. To leave a message, press 2.'),
      keys: ['1', '2'],
      repeats: 1,
      seconds: 5,
      exits: { key_1: 'ring', key_2: 'voicemail', timeout: 'ring', wrong_key: 'ring', failed: 'ring' },
    },
    {
      ...play('We are closed. Our hours are Monday to Friday, 9 to 5. Please leave a message.', 'voicemail'),
      id: 'closed',
      x: 320,
      y: 200,
    },
    { ...ringAll('voicemail'), id: 'ring', x: 640, y: -120 },
    { ...voicemail, id: 'voicemail', x: 960, y: 80 },
    hangUp(1280, 80),
  ],
})

const openingHours = (timeZone: string): Flow => ({
  start: 'hours',
  steps: [
    hours(timeZone, { open: 'ring', closed: 'closed', holiday: 'closed' }),
    { ...ringAll('end'), id: 'ring', x: 320, y: -120 },
    {
      ...play('We are closed. Our hours are Monday to Friday, 9 to 5. Please call again.', 'end'),
      id: 'closed',
      x: 320,
      y: 160,
    },
    hangUp(640, 0),
  ],
})

const ringEverywhere = (): Flow => ({
  start: 'ring',
  steps: [
    { ...ringAll('voicemail'), id: 'ring', x: 0, y: 0 },
    { ...voicemail, id: 'voicemail', x: 320, y: 0 },
    hangUp(640, 0),
  ],
})

const queue = (): Flow => ({
  start: 'welcome',
  steps: [
    {
      ...play('Welcome. Please hold for the next free line.', 'queue'),
      id: 'welcome',
      name: 'Welcome',
      x: 0,
      y: 0,
    },
    {
      id: 'queue',
      name: '',
      x: 320,
      y: 0,
      kind: 'queue',
      music: speak('Please hold the line. We will be with you soon.'),
      announcesPosition: true,
      devices: 'all',
      ringSeconds: RING_SECONDS,
      maxSeconds: 600,
      maxWaiting: 20,
      exits: { timeout: 'voicemail', full: 'voicemail', failed: 'voicemail' },
    },
    { ...voicemail, id: 'voicemail', x: 640, y: 0 },
    hangUp(960, 0),
  ],
})

const voicemailOnly = (): Flow => ({
  start: 'voicemail',
  steps: [{ ...voicemail, id: 'voicemail', x: 0, y: 0 }, hangUp(320, 0)],
})

export const flowTemplates: readonly FlowTemplate[] = [
  {
    id: 'reception',
    name: 'Reception',
    about: 'Opening hours, a menu, your phones, and voicemail if nobody answers.',
    flow: reception,
  },
  {
    id: 'opening_hours',
    name: 'Opening hours',
    about: 'Rings your phones while you are open. Callers hear your hours while you are closed.',
    flow: openingHours,
  },
  {
    id: 'ring_everywhere',
    name: 'Ring me everywhere',
    about: 'Rings all your phones and browsers at once, then takes a message.',
    flow: ringEverywhere,
  },
  {
    id: 'queue',
    name: 'Queue',
    about: 'Callers wait in order and hear their position. If nobody answers, they leave a message.',
    flow: queue,
  },
  {
    id: 'voicemail',
    name: 'Voicemail only',
    about: 'Plays your greeting and takes a message.',
    flow: voicemailOnly,
  },
]
