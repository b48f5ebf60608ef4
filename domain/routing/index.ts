export {
  type ChosenTrunk,
  chooseTrunks,
  type LeftOutReason,
  leftOutReasons,
  type NoTrunkReason,
  type TrunkChoice,
  type TrunkQuestion,
  whyLeftOut,
} from './choose-trunks.ts'
export type { Route } from './route.ts'
export { type BuyRate, buyRateFor, dialledFor, type Trunk } from './trunk.ts'
