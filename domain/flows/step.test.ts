import { describe, expect, test } from 'vitest'
import { type FlowAction, MAX_STEPS_WITHOUT_KEY, type Step } from './index.ts'
import { callOf, callOfStep, START, stepOfKind, text } from './test/examples.ts'

const key = (pressed: string) => ({ type: 'key', key: pressed }) as const
const played = { type: 'played' } as const
const failed = { type: 'play_failed' } as const
const timeout = { type: 'timeout' } as const
const hangUp: FlowAction = { type: 'hang_up' }

describe('play', () => {
  const play = stepOfKind('play', { sound: text('Hello {{caller}}, {{unknown}}bye') })

  test('fills variables into its text', () => {
    expect(callOfStep(play).actions).toEqual([{ type: 'play', sound: text('Hello 4930123, bye') }])
  })

  test('goes on after the sound, and hangs up if the exit leads nowhere', () => {
    expect(callOfStep(play, played)).toMatchObject({
      exit: 'next',
      actions: [hangUp],
      state: { isOver: true },
    })
    expect(callOfStep(play, failed).exit).toBe('failed')
  })

  test('ignores keys', () => {
    expect(callOfStep(play, key('1')).actions).toEqual([])
    expect(callOfStep(play, key('1')).state).toEqual(callOfStep(play).state)
  })
})

describe('menu', () => {
  const menu = stepOfKind('menu', { keys: ['1', '#'], repeats: 1, seconds: 5 })
  const explained = { type: 'play', sound: { kind: 'prompt', name: 'wrong_key' }, untilKey: true }

  test('takes a key while the sound plays', () => {
    expect(callOfStep(menu, key('1'))).toMatchObject({
      exit: 'key_1',
      actions: [{ type: 'stop_playing' }, hangUp],
    })
  })

  test('takes a key while it waits', () => {
    expect(callOfStep(menu, played).actions).toEqual([{ type: 'wait', seconds: 5 }])
    expect(callOfStep(menu, played, key('#'))).toMatchObject({
      exit: 'key_#',
      actions: [{ type: 'stop_waiting' }, hangUp],
    })
  })

  test('explains a wrong key, repeats, then gives up', () => {
    expect(callOfStep(menu, key('2')).actions).toEqual([{ type: 'stop_playing' }, explained])
    expect(callOfStep(menu, key('2'), played).actions).toMatchObject([{ type: 'play', untilKey: true }])
    expect(callOfStep(menu, key('2'), failed).actions).toMatchObject([{ type: 'play', untilKey: true }])
    expect(callOfStep(menu, key('2'), key('1')).exit).toBe('key_1')
    expect(callOfStep(menu, key('2'), played, played, key('3')).exit).toBe('wrong_key')
  })

  test('repeats after silence, then gives up', () => {
    expect(callOfStep(menu, played, timeout).actions).toMatchObject([{ type: 'play', untilKey: true }])
    expect(callOfStep(menu, played, timeout, played, timeout).exit).toBe('timeout')
    expect(callOfStep(menu, timeout).state).toEqual(callOfStep(menu).state)
  })

  test('leaves by the failure exit if the sound cannot be played', () => {
    expect(callOfStep(menu, failed).exit).toBe('failed')
  })
})

describe('collect', () => {
  const collect = stepOfKind('collect', {
    variable: 'pin',
    minDigits: 2,
    maxDigits: 4,
    endKey: '#',
    repeats: 1,
    seconds: 3,
  })

  test('takes digits while the sound plays, up to the maximum', () => {
    expect(callOfStep(collect, key('1')).actions).toEqual([{ type: 'wait', seconds: 3 }])
    const { state, exit } = callOfStep(collect, key('1'), key('2'), key('3'), key('4'))
    expect(exit).toBe('next')
    expect(state.variables).toMatchObject({ pin: '1234' })
  })

  test('ends with the end key or a pause', () => {
    expect(callOfStep(collect, key('1'), key('2'), key('#')).state.variables).toMatchObject({ pin: '12' })
    expect(callOfStep(collect, key('1'), key('2'), timeout).state.variables).toMatchObject({ pin: '12' })
  })

  test('repeats if there are too few digits, then gives up', () => {
    const again = callOfStep(collect, key('1'), key('#'))
    expect(again.actions).toMatchObject([{ type: 'stop_waiting' }, { type: 'play' }])
    expect(callOfStep(collect, key('1'), key('#'), key('1'), key('2'), key('#')).state.variables.pin).toBe(
      '12',
    )
    expect(callOfStep(collect, key('1'), key('#'), key('#')).exit).toBe('invalid')
    expect(callOfStep(collect, key('1'), timeout, key('2'), timeout).exit).toBe('invalid')
    expect(callOfStep(collect, played, timeout, played, timeout).exit).toBe('timeout')
  })

  describe('that ends with the last digit', () => {
    const pin = { ...collect, exits: { next: 'again' } }
    const again = stepOfKind('collect', { id: 'again', variable: 'again', endKey: '#', repeats: 0 })
    const flow = { start: pin.id, steps: [pin, again] }
    const digits = ['1', '2', '3', '4'].map(key)
    const asked = callOf(flow, ...digits)

    test('drops an end key of the next two seconds, once', () => {
      const dropped = callOf(flow, ...digits, { ...key('#'), after: 2 })
      expect(dropped.actions).toEqual([])
      expect(dropped.state).toEqual({ ...asked.state, lateKey: null })
      expect(dropped.log.slice(asked.log.length)).toMatchObject([{ type: 'event', event: key('#') }])
      expect(callOf(flow, ...digits, key('#'), key('#')).exit).toBe('invalid')
    })

    test('takes it later, after another digit, and if it is not the end key', () => {
      expect(callOf(flow, ...digits, { ...key('#'), after: 2.1 }).exit).toBe('invalid')
      expect(callOf(flow, ...digits, key('5'), key('#')).state.variables).toMatchObject({ again: '5' })
      expect(callOf(flow, ...digits, key('*'), key('#')).exit).toBe('invalid')
      const withoutKey = { ...flow, steps: [{ ...pin, endKey: null }, again] }
      expect(callOf(withoutKey, ...digits, key('#')).exit).toBe('invalid')
    })

    test('drops it in any kind of step, also after steps that do not wait', () => {
      const set = stepOfKind('set', { exits: { next: 'menu' } })
      const menu = stepOfKind('menu', { keys: ['#'] })
      const toMenu = { start: pin.id, steps: [{ ...pin, exits: { next: 'set' } }, set, menu] }
      expect(callOf(toMenu, ...digits, key('#')).state.stepId).toBe('menu')
      expect(callOf(toMenu, ...digits, key('#'), key('#')).exit).toBe('key_#')
    })
  })

  test('does not collect other keys, but waits after them', () => {
    expect(callOfStep(collect, key('*')).actions).toEqual([{ type: 'wait', seconds: 3 }])
    expect(callOfStep(collect, key('*'), key('1'), key('2'), key('#')).state.variables.pin).toBe('12')
  })

  test('leaves by the failure exit if the sound cannot be played', () => {
    expect(callOfStep(collect, failed).exit).toBe('failed')
  })
})

describe('opening hours', () => {
  const hours = stepOfKind('hours', { timeZone: 'Europe/Berlin' })
  // START is 11:00 in Berlin, on a Tuesday.
  test.each([
    ['open', { from: 9 * 60, to: 17 * 60 }, []],
    ['closed', { from: 12 * 60, to: 17 * 60 }, []],
    ['open', { from: 11 * 60, to: 12 * 60 }, []],
    ['closed', { from: 10 * 60, to: 11 * 60 }, []],
    ['holiday', { from: 9 * 60, to: 17 * 60 }, ['2026-11-17']],
    ['holiday', { from: 9 * 60, to: 17 * 60 }, ['12-25', '11-17']],
    ['open', { from: 9 * 60, to: 17 * 60 }, ['2025-11-17', '11-18']],
  ])('%s with %j and holidays %j', (exit, time, holidays) => {
    expect(callOfStep({ ...hours, open: [{ days: [2], ...time }], holidays }).exit).toBe(exit)
  })

  test('use the local date for holidays', () => {
    const auckland = { ...hours, timeZone: 'Pacific/Auckland', holidays: ['2026-11-18'] }
    expect(new Date(START).toISOString()).toContain('T10:00')
    expect(callOfStep(auckland).exit).not.toBe('holiday')
    const kiritimati = { ...hours, timeZone: 'Pacific/Kiritimati', holidays: ['2026-11-18'] }
    expect(callOfStep(kiritimati).exit).toBe('holiday')
  })
})

describe.each(['ring', 'forward'] as const)('%s', (kind) => {
  const leg = kind === 'ring' ? stepOfKind('ring') : stepOfKind('forward', { number: '+44 20 {{caller}}' })

  test.each(['no_answer', 'busy', 'failed'] as const)('leaves by %s', (result) => {
    expect(callOfStep(leg, { type: 'leg', result }).exit).toBe(result)
  })

  test('ends after the conversation', () => {
    expect(callOfStep(leg, { type: 'leg', result: 'hung_up' }).state.isOver).toBe(false)
    const answered = callOfStep(leg, { type: 'leg', result: 'answered' })
    expect(answered).toMatchObject({ actions: [], state: { isOver: false } })
    const over = callOfStep(leg, { type: 'leg', result: 'answered' }, { type: 'leg', result: 'hung_up' })
    expect(over).toMatchObject({ actions: [hangUp], ended: 'conversation', exit: null })
  })

  test('cancels the leg if the caller hangs up', () => {
    expect(callOfStep(leg, { type: 'hung_up' })).toMatchObject({
      actions: [{ type: 'cancel_leg' }],
      ended: 'caller',
    })
  })
})

describe('forward', () => {
  test('sends the digits of the number', () => {
    expect(callOfStep(stepOfKind('forward', { number: '+44 20 {{caller}}', seconds: 20 })).actions).toEqual([
      { type: 'forward', number: '44204930123', callerId: 'number', seconds: 20 },
    ])
  })

  test.each(['', '{{unknown}}', '12', 'sip:a@b', '1234567890123456'])('fails at once with "%s"', (number) => {
    expect(callOfStep(stepOfKind('forward', { number }))).toMatchObject({ exit: 'failed', actions: [hangUp] })
  })
})

describe('voicemail', () => {
  const voicemail = stepOfKind('voicemail', { maxSeconds: 60 })
  const takesMessage = { type: 'take_message', maxSeconds: 60 }

  test('plays the greeting of the account or its own', () => {
    const sound = { kind: 'prompt', name: 'voicemail_greeting' }
    expect(callOfStep(voicemail).actions).toEqual([{ type: 'play', sound, untilKey: true }])
    const own = callOfStep({ ...voicemail, greeting: { kind: 'file', soundId: 3 } })
    expect(own.actions).toMatchObject([{ sound: { kind: 'file', soundId: 3 } }])
  })

  test('takes a message after the greeting, after a key, and without a greeting', () => {
    expect(callOfStep(voicemail, played).actions).toEqual([takesMessage])
    expect(callOfStep(voicemail, failed).actions).toEqual([takesMessage])
    expect(callOfStep(voicemail, key('#')).actions).toEqual([{ type: 'stop_playing' }, takesMessage])
  })

  test('goes on after the message', () => {
    expect(callOfStep(voicemail, played, { type: 'message', seconds: 3 }).exit).toBe('next')
    expect(callOfStep(voicemail, played, { type: 'message_failed' }).exit).toBe('failed')
  })

  test('ends cleanly when the caller hangs up', () => {
    expect(callOfStep(voicemail, played, { type: 'hung_up' })).toMatchObject({ actions: [], ended: 'caller' })
  })
})

describe('record', () => {
  const record = stepOfKind('record', { announcement: text('Recorded.') })
  const turnsOn = { type: 'turn_recording', isOn: true }

  test('starts after its announcement, never without it', () => {
    expect(callOfStep(record).actions).toMatchObject([{ type: 'play' }])
    expect(callOfStep(record, played).actions).toEqual([turnsOn])
    expect(callOfStep(record, failed).exit).toBe('failed')
    expect(callOfStep({ ...record, announcement: null }).actions).toEqual([turnsOn])
  })

  test('stops at once', () => {
    expect(callOfStep({ ...record, turn: 'off' }).actions).toEqual([{ type: 'turn_recording', isOn: false }])
  })

  test('goes on with the result', () => {
    expect(callOfStep(record, played, { type: 'recording', isOn: true }).exit).toBe('next')
    expect(callOfStep(record, played, { type: 'recording_failed' }).exit).toBe('failed')
  })
})

describe('set and compare', () => {
  test('a value is filled in and cut', () => {
    const set = stepOfKind('set', { variable: 'topic', value: 'From {{caller}}' })
    expect(callOfStep(set).state.variables.topic).toBe('From 4930123')
    expect(callOfStep({ ...set, value: 'x'.repeat(500) }).state.variables.topic).toHaveLength(200)
  })

  test.each([
    ['{{caller}}', 'is', '4930123', 'yes'],
    [' Berlin', 'is', 'berlin ', 'yes'],
    ['{{caller}}', 'is_not', '4930123', 'no'],
    ['{{caller}}', 'starts_with', '49', 'yes'],
    ['{{caller}}', 'contains', '301', 'yes'],
    ['{{caller}}', 'contains', '999', 'no'],
    ['9', 'less_than', '10', 'yes'],
    ['9', 'greater_than', '10', 'no'],
    ['nine', 'greater_than', '10', 'no'],
    ['', 'less_than', '10', 'no'],
    ['{{constructor}}', 'is', '', 'yes'],
  ] as const)('"%s" %s "%s": %s', (left, comparison, right, exit) => {
    expect(callOfStep(stepOfKind('compare', { left, comparison, right })).exit).toBe(exit)
  })
})

describe('http', () => {
  const http = stepOfKind('http', { url: 'https://crm.example', seconds: 4, saves: ['name'] })

  test('sends all variables', () => {
    expect(callOfStep(http).actions).toEqual([
      {
        type: 'http',
        url: 'https://crm.example',
        variables: { caller: '4930123', called: '4940456' },
        seconds: 4,
        saves: ['name'],
      },
    ])
  })

  test('saves only the listed fields of a good answer', () => {
    const variables = { name: 'Ada', caller: '1' }
    const good = callOfStep(http, { type: 'http', status: 201, variables })
    expect(good).toMatchObject({ exit: 'next', state: { variables: { name: 'Ada', caller: '4930123' } } })
    expect(callOfStep(http, { type: 'http', status: 500, variables }).exit).toBe('failed')
    expect(callOfStep(http, { type: 'http', status: 302, variables }).exit).toBe('failed')
  })

  test('leaves by timeout or failed', () => {
    const fails = (isTimeout: boolean) => ({ type: 'http_failed', isTimeout, reason: 'refused' }) as const
    expect(callOfStep(http, fails(true)).exit).toBe('timeout')
    expect(callOfStep(http, fails(false)).exit).toBe('failed')
  })
})

test('mail fills in its texts', () => {
  const mail = stepOfKind('mail', { to: 'ada@example.com', subject: 'Call from {{caller}}', text: 'Hi' })
  expect(callOfStep(mail).actions).toEqual([
    { type: 'mail', to: 'ada@example.com', subject: 'Call from 4930123', text: 'Hi' },
  ])
  expect(callOfStep(mail, { type: 'mailed' }).exit).toBe('next')
  expect(callOfStep(mail, { type: 'mail_failed' }).exit).toBe('failed')
})

test('hang up ends the flow', () => {
  expect(callOfStep(stepOfKind('hangup'))).toMatchObject({ actions: [hangUp], ended: 'hangup_step' })
})

describe('a flow', () => {
  const loop = (first: Step, exit: string) => ({
    start: first.id,
    steps: [{ ...first, exits: { [exit]: first.id } }],
  })

  test('without a start hangs up', () => {
    expect(callOf({ start: 'none', steps: [] })).toMatchObject({ actions: [hangUp], ended: 'no_exit' })
  })

  test('that loops without waiting ends', () => {
    const { log, ended } = callOf(loop(stepOfKind('set'), 'next'))
    expect(ended).toBe('loop')
    expect(log.filter(({ type }) => type === 'entered')).toHaveLength(MAX_STEPS_WITHOUT_KEY)
  })

  test('that only repeats a sound ends', () => {
    const many = Array.from({ length: 60 }, () => ({ type: 'played', after: 10 }) as const)
    expect(callOf(loop(stepOfKind('play'), 'next'), ...many).ended).toBe('loop')
  })

  test('goes on as long as the caller presses keys or waits', () => {
    const presses = Array.from({ length: 100 }, () => key('1'))
    expect(callOf(loop(stepOfKind('menu'), 'key_1'), ...presses).state.isOver).toBe(false)
    const rings = (after: number) =>
      Array.from({ length: 100 }, () => ({ type: 'leg', result: 'no_answer', after }) as const)
    expect(callOf(loop(stepOfKind('ring'), 'no_answer'), ...rings(20)).state.isOver).toBe(false)
    expect(callOf(loop(stepOfKind('ring'), 'no_answer'), ...rings(1)).ended).toBe('loop')
  })

  test('does nothing after its end', () => {
    const over = callOfStep(stepOfKind('play'), played)
    const later = callOfStep(
      stepOfKind('play'),
      played,
      { type: 'hung_up' },
      { type: 'started', variables: {} },
    )
    expect(later.state).toEqual(over.state)
    expect(later.actions).toEqual([])
  })
})
