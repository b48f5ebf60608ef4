export {
  type ChosenTrunk,
  chooseTrunks,
  type ExclusionReason,
  exclusionReason,
  exclusionReasons,
  type NoTrunkReason,
  type TrunkChoice,
  type TrunkQuery,
} from './choose-trunks.ts'
export type { Route } from './route.ts'
export { buyRateFor, carrierNumber, type Trunk } from './trunk.ts'
