import { micros } from '../../money/index.ts'
import { billedBySecond, createPrefixIndex } from '../../rating/index.ts'
import type { Route, Trunk } from '../index.ts'

/** A trunk and a route that match. Each test overrides the fields it needs. */
export const trunkWith = (differences: Partial<Trunk> = {}): Trunk => ({
  id: 1,
  name: 'Carrier one',
  country: null,
  planIds: new Set([7]),
  host: 'sip.carrier.example',
  port: 5060,
  transport: 'udp',
  authUsername: null,
  authPassword: null,
  stripDigits: 0,
  addPrefix: '',
  capacity: 30,
  buyRate: billedBySecond(micros(5_000n)),
  buyRates: createPrefixIndex([]),
  isActive: true,
  priority: 100,
  isPrimary: false,
  ...differences,
})

export const routeWith = (differences: Partial<Route> = {}): Route => ({
  id: 3,
  country: 'US',
  name: 'US Gold',
  planId: 7,
  planName: 'Gold CLI',
  isPremium: false,
  rate: billedBySecond(micros(10_000n)),
  prefixRates: createPrefixIndex([]),
  sellsBelowCost: false,
  ...differences,
})
