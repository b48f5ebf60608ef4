import { ownMessages } from '@trunkline/contract/messages'
import { defaultPlan, type RingPlan } from '@trunkline/domain/ringing'
import { describe, expect, it } from 'vitest'
import { blankDestination, blankRule, planOf, validatePlan, valuesOf } from './ring-form.ts'

const plan: RingPlan = {
  timeZone: 'Europe/London',
  rules: [
    {
      name: 'Office',
      days: [1, 2, 3, 4, 5],
      from: 540,
      to: 1020,
      destination: { kind: 'pbx', address: '192.0.2.7', port: 5080, transport: 'tcp', seconds: 30 },
    },
    { name: 'Sunday', days: [7], from: 0, to: 1440, destination: { kind: 'busy' } },
  ],
  destination: {
    kind: 'phones',
    steps: [
      { devices: 'phones', seconds: 20 },
      { devices: 'browsers', seconds: 15 },
    ],
  },
  fallback: { kind: 'number', number: '442079460123', callerId: 'caller', seconds: 40 },
}

describe('the ring plan form', () => {
  it('saves what it was opened with', () => {
    expect(planOf(valuesOf(plan))).toEqual(plan)
    expect(validatePlan(valuesOf(plan))).toEqual({})
  })

  it('shows the end of the day as midnight', () => {
    expect(valuesOf(plan).rules[1]).toMatchObject({ from: '00:00', to: '00:00' })
  })

  it('ignores the fields of other kinds', () => {
    const values = { ...valuesOf(plan), destination: { ...blankDestination('busy'), number: 'abc' } }
    expect(planOf(values).destination).toEqual({ kind: 'busy' })
    expect(validatePlan(values)).toEqual({})
  })

  it('names each invalid field by its path in the request', () => {
    const values = valuesOf(defaultPlan('UTC'))
    expect(
      validatePlan({
        ...values,
        destination: { ...values.destination, steps: [{ devices: 'all', seconds: '4' }] },
        rules: [{ ...blankRule([]), days: [], to: '09:00', destination: blankDestination('pbx') }],
        fallback: { ...blankDestination('number'), number: '020 7946', seconds: '121' },
      }),
    ).toEqual({
      'ring_plan.destination.steps.0.seconds': ownMessages.ringSecondsInvalid,
      'ring_plan.rules.0.days': 'Choose at least one day.',
      'ring_plan.rules.0.to': 'Please enter another end time.',
      'ring_plan.rules.0.destination.address': 'Choose the address of your PBX.',
      'ring_plan.fallback.number': ownMessages.forwardNumberInvalid,
      'ring_plan.fallback.seconds': ownMessages.ringSecondsInvalid,
    })
  })
})
