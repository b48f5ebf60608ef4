import type { RentedNumber } from '@trunkline/contract/numbers'
import { type Destination, defaultPlan, type RingPlan } from '@trunkline/domain/ringing'
import { describe, expect, it, test } from 'vitest'
import {
  describeDays,
  describeDestination,
  describePlan,
  describeTimes,
  formatMinute,
  lookOf,
} from './words.ts'

const forward: Destination = { kind: 'number', number: '442079460123', callerId: 'number', seconds: 30 }
const plan = (changes: Partial<RingPlan> = {}): RingPlan => ({ ...defaultPlan('Europe/London'), ...changes })

test.each<[Destination, string]>([
  [
    {
      kind: 'phones',
      steps: [
        { devices: 'phones', seconds: 20 },
        { devices: 'browsers', seconds: 15 },
      ],
    },
    'rings phones for 20 seconds, then browsers for 15 seconds',
  ],
  [
    { kind: 'pbx', address: '192.0.2.7', port: 5060, transport: 'udp', seconds: 30 },
    'rings the PBX at 192.0.2.7 for 30 seconds',
  ],
  [forward, 'forwards to +442079460123'],
  [{ kind: 'flow', flowId: 7 }, 'runs the flow “Main line”'],
  [{ kind: 'flow', flowId: 8 }, 'runs a flow'],
  [{ kind: 'voicemail' }, 'takes a message'],
  [{ kind: 'busy' }, 'tells the caller that the number is busy'],
])('describes a destination', (destination, sentence) => {
  expect(describeDestination(destination, new Map([[7, 'Main line']]))).toBe(sentence)
})

describe('a ring plan in words', () => {
  it('is one sentence without rules', () => {
    expect(describePlan(plan())).toEqual([{ when: '', what: 'Rings all devices for 25 seconds.' }])
    expect(describePlan(plan({ fallback: forward }))).toEqual([
      {
        when: '',
        what: 'Rings all devices for 25 seconds, then forwards to +442079460123.',
      },
    ])
  })

  it('has one sentence for each rule and one for other times, and nothing after a busy signal', () => {
    const rules = [{ name: 'Office', days: [1, 2, 3, 4, 5], from: 540, to: 1020, destination: forward }]
    expect(
      describePlan(
        plan({
          rules,
          destination: { kind: 'busy' },
          fallback: { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] },
        }),
      ),
    ).toEqual([
      {
        when: 'Weekdays 09:00–17:00',
        what: 'forwards to +442079460123, then rings all devices for 20 seconds.',
      },
      { when: 'At other times', what: 'tells the caller that the number is busy.' },
    ])
  })
})

it('names days in short', () => {
  expect(
    [
      [5, 4, 3, 2, 1],
      [6, 7],
      [1, 2, 3, 4, 5, 6, 7],
      [2, 3, 4],
      [1, 4],
      [1, 2],
    ].map(describeDays),
  ).toEqual(['Weekdays', 'Weekends', 'Every day', 'Tue–Thu', 'Mon, Thu', 'Mon, Tue'])
})

it('writes times with 24 hours', () => {
  expect([0, 545, 1440].map(formatMinute)).toEqual(['00:00', '09:05', '24:00'])
  expect(describeTimes({ days: [6, 7], from: 0, to: 1440 })).toBe('Weekends, all day')
})

it('shows until when a number is paid, and what to do if it is not', () => {
  const number = {
    state: 'active',
    cancels: false,
    paid_until: '2026-12-17T12:00:00Z',
    suspends_at: null,
    releases_at: null,
  } as RentedNumber
  expect(lookOf(number)).toMatchObject({ label: 'Active', advice: null })
  expect(lookOf({ ...number, cancels: true }).label).toBe('Ends on Dec 17, 2026')
  const grace = { ...number, state: 'grace', suspends_at: '2026-12-20T12:00:00Z' } as const
  expect(lookOf(grace)).toMatchObject({ tone: 'pending', label: 'Renewal unpaid until Dec 20, 2026' })
  const suspended = { ...number, state: 'suspended', releases_at: '2027-01-03T12:00:00Z' } as const
  expect(lookOf(suspended).advice).toContain('Top up by Jan 3, 2027')
})
