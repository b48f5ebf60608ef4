import { describe, expect, test } from 'vitest'
import {
  exitsOf,
  type Flow,
  flowTemplates,
  hasErrors,
  type ProblemContext,
  problemsOf,
  type Step,
} from './index.ts'
import { callOf, stepOfKind, text } from './test/examples.ts'

/** The codes of a step whose exits all lead to "Hang up". */
function codesOf(step: Step, context: ProblemContext = {}) {
  const exits = Object.fromEntries(exitsOf(step).map((exit) => [exit, 'hangup']))
  const flow: Flow = { start: step.id, steps: [{ ...step, exits }, stepOfKind('hangup')] }
  return problemsOf(flow, context).map(({ severity, code }) => `${severity}: ${code}`)
}

describe('a template', () => {
  test.each(flowTemplates)('$name has no problems', ({ flow }) => {
    const context = { canSpeak: true, soundIds: [], hasBalance: () => false, hasRoute: () => false }
    expect(problemsOf(flow('Europe/London'), context)).toEqual([])
  })

  test.each(flowTemplates)('$name ends when the caller hangs up', ({ flow }) => {
    expect(callOf(flow('UTC'), { type: 'hung_up' }).state.isOver).toBe(true)
  })
})

describe('a step', () => {
  const sound = { kind: 'file', soundId: 7 } as const
  const pbx = {
    kind: 'pbx',
    address: '192.0.2.7',
    port: 5060,
    transport: 'udp',
    seconds: 20,
  } as const

  test.each<[string, Step, ProblemContext]>([
    ['error: no_keys', stepOfKind('menu', { keys: [] }), {}],
    ['error: duplicate_key', stepOfKind('menu', { keys: ['1', '2', '1'] }), {}],
    ['error: digits_range', stepOfKind('collect', { minDigits: 5, maxDigits: 4 }), {}],
    ['warning: never_open', stepOfKind('hours', { open: [] }), {}],
    ['error: holiday_invalid', stepOfKind('hours', { holidays: ['2026-02-29'] }), {}],
    ['error: holiday_invalid', stepOfKind('hours', { holidays: ['13-01'] }), {}],
    ['error: number_invalid', stepOfKind('forward', { number: '12' }), {}],
    ['error: no_route', stepOfKind('forward'), { hasRoute: () => false }],
    ['warning: no_balance', stepOfKind('forward'), { hasBalance: () => false }],
    [
      'warning: caller_chooses_number',
      stepOfKind('forward', { number: '{{caller}}' }),
      { hasRoute: () => false },
    ],
    ['error: unknown_variable', stepOfKind('play', { sound: text('Hi {{nmae}}') }), {}],
    ['error: unknown_variable', stepOfKind('set', { value: '{{Caller}}' }), {}],
    ['error: sound_missing', stepOfKind('play', { sound }), { soundIds: [1] }],
    ['error: empty_text', stepOfKind('queue', { music: text(' ') }), {}],
    ['error: no_speech', stepOfKind('play'), { canSpeak: false }],
    ['warning: no_announcement', stepOfKind('record', { announcement: null }), {}],
    ['error: recording_not_allowed', stepOfKind('record'), { canRecord: false }],
    ['error: url_invalid', stepOfKind('http', { url: 'ftp://crm.example' }), {}],
    ['error: url_invalid', stepOfKind('http', { url: 'crm.example' }), {}],
    ['error: url_invalid', stepOfKind('http', { url: 'https://ada:secret@crm.example' }), {}],
    ['error: mail_address_invalid', stepOfKind('mail', { to: 'ada' }), {}],
    ['error: empty_text', stepOfKind('mail', { subject: '', text: '' }), {}],
    ['error: pbx_not_trusted', stepOfKind('ring', { destination: pbx }), { trustedAddresses: [] }],
  ])('has the problem "%s"', (problem, step, context) => {
    expect(codesOf(step, context)).toEqual([problem])
  })

  test.each<[Step, ProblemContext]>([
    [stepOfKind('play', { sound }), { soundIds: [7], canSpeak: false }],
    [stepOfKind('play', { sound }), {}],
    [stepOfKind('collect', { variable: 'pin', sound: text('{{ pin }} {{caller}}') }), { canSpeak: true }],
    [stepOfKind('hours', { holidays: ['02-29', '2028-02-29'] }), {}],
    [stepOfKind('forward'), { hasRoute: (number) => number === '442079460123', hasBalance: () => true }],
    [stepOfKind('http', { url: 'http://127.0.0.1:8080/calls', saves: ['name'] }), {}],
    [stepOfKind('mail', { to: '{{caller}}@example.com' }), {}],
    [stepOfKind('ring', { destination: pbx }), { trustedAddresses: ['192.0.2.7'] }],
    [stepOfKind('record', { turn: 'off', announcement: null }), { canRecord: false }],
  ])('has no problem: %j', (step, context) => {
    expect(codesOf(step, context)).toEqual([])
  })
})

describe('a flow', () => {
  const problems = (start: string, ...steps: Step[]) =>
    problemsOf({ start, steps }).map(({ stepId, exit, code }) => [stepId, code, exit])
  const end = stepOfKind('hangup')

  test('needs a start', () => {
    expect(problems('')).toEqual([[null, 'no_start', undefined]])
    expect(problems('other', end)).toEqual([[null, 'no_start', undefined]])
  })

  test('warns about steps that no call reaches', () => {
    const alone = stepOfKind('play', { exits: { next: 'hangup', failed: 'hangup' } })
    expect(problems('hangup', end, alone)).toEqual([['play', 'unreachable', undefined]])
  })

  test('refuses exits to missing steps, and ids that are used twice', () => {
    const play = stepOfKind('play', { exits: { next: 'gone', failed: 'hangup' } })
    expect(problems('play', play, end, end)).toEqual([
      ['play', 'missing_step', 'next'],
      ['hangup', 'duplicate_step', undefined],
    ])
  })

  test('refuses open main exits, and warns about others once per step', () => {
    const menu = stepOfKind('menu', { keys: ['1'] })
    expect(problems('menu', menu)).toEqual([
      ['menu', 'exit_not_connected', 'key_1'],
      ['menu', 'exits_hang_up', undefined],
    ])
    expect(hasErrors(problemsOf({ start: 'play', steps: [stepOfKind('play')] }))).toBe(false)
    expect(problemsOf({ start: 'ring', steps: [stepOfKind('ring')] })).toMatchObject([
      { severity: 'warning', text: expect.stringContaining('“No answer”, “Busy”, “Failed”') },
    ])
  })

  test('needs a holiday exit only if it has holidays', () => {
    const hours = stepOfKind('hours', { exits: { open: 'hangup', closed: 'hangup' } })
    expect(problems('hours', hours, end)).toEqual([])
    expect(problems('hours', { ...hours, holidays: ['12-25'] }, end)).toEqual([
      ['hours', 'exit_not_connected', 'holiday'],
    ])
  })

  test('refuses a loop without a key press or waiting, and names its steps', () => {
    const play = stepOfKind('play', { exits: { next: 'set', failed: 'hangup' } })
    const set = stepOfKind('set', { name: 'Again', exits: { next: 'play' } })
    expect(problemsOf({ start: 'play', steps: [play, set, end] })).toMatchObject([
      { stepId: 'play', code: 'loop', text: expect.stringContaining('Play → Again → Play') },
    ])
  })

  test('allows a loop with a key press or waiting', () => {
    const all = { key_1: 'play', key_2: 'play', timeout: 'play', wrong_key: 'play', failed: 'hangup' }
    const menu = stepOfKind('menu', { exits: all })
    const play = stepOfKind('play', { exits: { next: 'menu', failed: 'hangup' } })
    expect(problems('menu', menu, play, end)).toEqual([])
  })
})
