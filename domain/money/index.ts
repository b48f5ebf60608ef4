export { formatCost, formatDollars, formatExact, toWireNumber } from './format.ts'
export {
  add,
  cents,
  dollars,
  larger,
  MICROS_PER_CENT,
  MICROS_PER_DOLLAR,
  type Micros,
  micros,
  negate,
  smaller,
  subtract,
  sum,
  WIRE_LIMIT_MICROS,
  ZERO,
} from './micros.ts'
export {
  type AmountFault,
  type ParsedAmount,
  parseAmount,
  parseDollars,
  TOPUP_LIMIT_MICROS,
} from './parse.ts'
export {
  BASIS_POINTS_PER_WHOLE,
  ceilDiv,
  floorDiv,
  percentageOf,
  roundDiv,
  shareRoundedUp,
} from './rounding.ts'
