import { defaultGuards, type Guards } from '../../guards/index.ts'
import { ZERO } from '../../money/index.ts'
import type { PhoneNumber } from '../../numbers/index.ts'
import { routeWith, trunkWith } from '../../routing/test/trunk-example.ts'
import type { CallRequest, CallUser } from '../index.ts'

/** A call that is admitted. Each test overrides the fields it needs. */
export const plainNumber: PhoneNumber = {
  e164: '12125551234',
  country: 'US',
  lineType: 'landline_or_mobile',
  isHighRisk: false,
}

export const userWith = (differences: Partial<CallUser> = {}, guards: Partial<Guards> = {}): CallUser => ({
  id: 12,
  username: 'anna',
  isDisabled: false,
  isPremium: false,
  callerId: '442079460018',
  isCallerIdApproved: true,
  homeCountry: null,
  guards: { ...defaultGuards, ...guards },
  routes: new Map([['US', routeWith()]]),
  ...differences,
})

export const requestWith = (differences: Partial<CallRequest> = {}): CallRequest => ({
  user: userWith(),
  number: plainNumber,
  trunks: [trunkWith()],
  usedOf: () => 0,
  liveCalls: 0,
  callsThisSecond: 0,
  spentTodayMicros: ZERO,
  heldTodayMicros: ZERO,
  sliceSeconds: 60,
  ...differences,
})
