export {
  type GuardReason,
  guardDestination,
  guardPace,
  guardPrice,
  guardReasons,
  isCountryAllowed,
  isGuardReason,
  spendableToday,
} from './check.ts'
export { defaultGuards, emptyGuardLayer, type GuardLayer, type Guards } from './guards.ts'
export { effectiveGuards, isLoosened } from './layers.ts'
