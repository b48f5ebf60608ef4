export {
  chooseTrunks,
  type ExclusionReason,
  exclusionReason,
  exclusionReasons,
  type NoTrunkReason,
  type TrunkChoice,
  type TrunkQuery,
} from './choose-trunks.ts'
export {
  asrOf,
  judgeTrunk,
  QUARTER,
  type Quality,
  type QuarterCount,
  RETURN_MARGIN,
  returnedTrunk,
  startOfQuarter,
  type TrunkQuality,
} from './quality.ts'
export type { Route } from './route.ts'
export {
  drawOf,
  isTrialCall,
  type Routing,
  type RoutingMode,
  type RoutingRule,
  routingModes,
  ruleFor,
  TRIAL_EVERY,
} from './rule.ts'
export { buyRateFor, type ChosenTrunk, carrierNumber, type Trunk } from './trunk.ts'
