import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Destination,
  defaultPlan,
  deviceGroupName,
  deviceGroups,
  isRingDestination,
  localDate,
  localTime,
  type RingPlan,
  type RingRule,
  scheduleText,
  singleDestinations,
  targetsAt,
} from './index.ts'

const phones: Destination = { kind: 'phones', steps: [{ devices: 'phones', seconds: 25 }] }
const forward: Destination = {
  kind: 'number',
  number: '442079460123',
  callerId: 'number',
  seconds: 30,
}
const busy: Destination = { kind: 'busy' }

const rule = (changes: Partial<RingRule> = {}): RingRule => ({
  name: '',
  days: [1, 2, 3, 4, 5],
  from: 9 * 60,
  to: 17 * 60,
  destination: phones,
  ...changes,
})
const plan = (rules: RingRule[], changes: Partial<RingPlan> = {}): RingPlan => ({
  timeZone: 'UTC',
  rules,
  destination: forward,
  fallback: null,
  ...changes,
})
const at = (iso: string) => new Date(iso).getTime()
const kindAt = (given: RingPlan, iso: string) => targetsAt(given, at(iso)).destinations[0]?.kind

describe('a rule', () => {
  test.each([
    ['2026-11-16T08:59:59Z', 'number'],
    ['2026-11-16T09:00:00Z', 'phones'],
    ['2026-11-16T16:59:59Z', 'phones'],
    ['2026-11-16T17:00:00Z', 'number'],
    ['2026-11-15T12:00:00Z', 'number'],
  ])('of weekdays 9 to 17 at %s: %s', (when, kind) => {
    expect(kindAt(plan([rule()]), when)).toBe(kind)
  })

  test.each([
    // Friday 22:00 to Saturday 6:00 belongs to Friday.
    ['2026-11-20T21:59:00Z', 'number'],
    ['2026-11-20T22:00:00Z', 'phones'],
    ['2026-11-21T05:59:00Z', 'phones'],
    ['2026-11-21T06:00:00Z', 'number'],
    ['2026-11-20T05:00:00Z', 'number'],
    ['2026-11-21T23:00:00Z', 'number'],
  ])('that continues after midnight belongs to the day of its start: %s %s', (when, kind) => {
    expect(kindAt(plan([rule({ days: [5], from: 22 * 60, to: 6 * 60 })]), when)).toBe(kind)
  })

  test('of Sunday night continues on Monday', () => {
    const night = plan([rule({ days: [7], from: 22 * 60, to: 6 * 60 })])
    expect(kindAt(night, '2026-11-16T05:00:00Z')).toBe('phones')
    expect(kindAt(night, '2026-11-15T05:00:00Z')).toBe('number')
  })

  test('with the same start and end covers 24 hours', () => {
    const whole = plan([rule({ days: [1], from: 0, to: 0 })])
    expect(kindAt(whole, '2026-11-16T00:00:00Z')).toBe('phones')
    expect(kindAt(whole, '2026-11-16T23:59:00Z')).toBe('phones')
    expect(kindAt(whole, '2026-11-17T00:00:00Z')).toBe('number')
  })

  test('that comes first decides', () => {
    const both = plan([rule({ destination: busy }), rule()])
    expect(kindAt(both, '2026-11-16T12:00:00Z')).toBe('busy')
  })

  test('follows the wall clock through summer time', () => {
    const london = plan([rule()], { timeZone: 'Europe/London' })
    expect(kindAt(london, '2026-07-01T08:00:00Z')).toBe('phones')
    expect(kindAt(london, '2026-07-01T16:00:00Z')).toBe('number')
    expect(kindAt(london, '2026-12-01T08:00:00Z')).toBe('number')
    expect(kindAt(london, '2026-12-01T16:00:00Z')).toBe('phones')
    // The hour from 1:00 happens twice on 25 October 2026.
    const night = plan([rule({ days: [7], from: 60, to: 120 })], { timeZone: 'Europe/London' })
    expect(kindAt(night, '2026-10-25T00:30:00Z')).toBe('phones')
    expect(kindAt(night, '2026-10-25T01:30:00Z')).toBe('phones')
    expect(kindAt(night, '2026-10-25T02:00:00Z')).toBe('number')
  })

  test('uses the day of its time zone', () => {
    const tokyo = plan([rule({ days: [1] })], { timeZone: 'Asia/Tokyo' })
    expect(kindAt(tokyo, '2026-11-16T00:00:00Z')).toBe('phones')
    expect(kindAt(tokyo, '2026-11-16T08:00:00Z')).toBe('number')
    const kathmandu = plan([rule({ days: [1], from: 0, to: 15 })], { timeZone: 'Asia/Kathmandu' })
    expect(kindAt(kathmandu, '2026-11-15T18:15:00Z')).toBe('phones')
    expect(kindAt(kathmandu, '2026-11-15T18:30:00Z')).toBe('number')
  })
})

describe('targets', () => {
  test('are the destination, then the fallback', () => {
    const given = plan([rule()], { fallback: forward })
    expect(targetsAt(given, at('2026-11-16T12:00:00Z'))).toEqual({
      ruleName: 'Weekdays 9 to 17',
      destinations: [phones, forward],
      explanation: 'Weekdays 9 to 17: phones, then forwarded to +442079460123.',
    })
  })

  test.each([
    [[1, 2, 3, 4, 5, 6, 7], 'Every day 9 to 17:30'],
    [[5, 4, 3, 2, 1], 'Weekdays 9 to 17:30'],
    [[7, 6], 'Weekends 9 to 17:30'],
    [[7, 1, 3], 'Mon, Wed, Sun 9 to 17:30'],
  ])('on days %j are described in words', (days, text) => {
    expect(scheduleText({ days, from: 9 * 60, to: 17 * 60 + 30 })).toBe(text)
  })

  test('end with a busy signal', () => {
    const given = plan([rule({ name: 'Lunch', destination: busy })], { fallback: forward })
    expect(targetsAt(given, at('2026-11-16T12:00:00Z'))).toEqual({
      ruleName: 'Lunch',
      destinations: [busy],
      explanation: 'Lunch: busy.',
    })
  })

  test('without a matching rule name no rule', () => {
    expect(targetsAt(plan([rule()]), at('2026-11-15T12:00:00Z'))).toMatchObject({
      ruleName: null,
      explanation: 'Outside the rules: forwarded to +442079460123.',
    })
    expect(targetsAt(defaultPlan('Europe/Berlin'), 0).explanation).toBe('Always: phones and browsers.')
  })

  test('of an unknown time zone follow UTC', () => {
    expect(kindAt(plan([rule()], { timeZone: 'Mars/Olympus' }), '2026-11-16T09:00:00Z')).toBe('phones')
  })
})

describe('for any plan and time', () => {
  const zones = [
    'UTC',
    'Europe/London',
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  ]
  const anyRule = fc.record({
    name: fc.constant(''),
    days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    from: fc.integer({ min: 0, max: 1439 }),
    to: fc.integer({ min: 0, max: 1440 }),
    destination: fc.constant(phones),
  })
  const time = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') })

  test('a day rule and its complement never match together, and one always does', () => {
    fc.assert(
      fc.property(anyRule, fc.constantFrom(...zones), time, (given, timeZone, when) => {
        fc.pre(given.from !== given.to && given.to < 1440)
        const everyDay = { ...given, days: [1, 2, 3, 4, 5, 6, 7] }
        const complement = { ...everyDay, from: given.to, to: given.from }
        const isIn = (one: RingRule) => targetsAt(plan([one], { timeZone }), when).ruleName !== null
        expect(isIn(everyDay)).toBe(!isIn(complement))
      }),
      { numRuns: 500 },
    )
  })

  test('the wall clock agrees with the date of the runtime', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), time, (timeZone, when) => {
        const text = new Date(when).toLocaleString('sv-SE', { timeZone })
        const [date = '', clock = ''] = text.split(' ')
        const [hours, minutes] = clock.split(':').map(Number)
        const day = new Date(`${date}T00:00:00Z`).getUTCDay() || 7
        expect(localTime(timeZone, when)).toEqual({ day, minute: (hours ?? 0) * 60 + (minutes ?? 0) })
        expect(localDate(timeZone, when)).toBe(date)
      }),
      { numRuns: 500 },
    )
  })
})

describe('single destinations', () => {
  test('are one for each step of phones, in order', () => {
    const steps = [
      { devices: 'phones', seconds: 15 },
      { devices: 'browsers', seconds: 20 },
    ] as const
    const single = singleDestinations([{ kind: 'phones', steps }, forward, { kind: 'voicemail' }])
    expect(single).toEqual([
      { kind: 'phones', steps: [steps[0]] },
      { kind: 'phones', steps: [steps[1]] },
      forward,
      { kind: 'voicemail' },
    ])
    expect(single.map(isRingDestination)).toEqual([true, true, true, false])
  })
})

test('groups of devices have names that begin with a capital letter', () => {
  expect(deviceGroups.map(deviceGroupName)).toEqual(['Phones and browsers', 'Phones', 'Browsers'])
})
