export {
  type NumberStatus,
  type NumberType,
  numberStatuses,
  numberTypes,
  type RentalState,
  rentalStates,
} from './numbers.ts'
export {
  type Destination,
  type DeviceGroup,
  defaultPlan,
  deviceGroups,
  isRingDestination,
  RING_SECONDS,
  type RingDestination,
  type RingPlan,
  type RingRule,
  type RingStep,
  singleDestinations,
} from './plan.ts'
export { type LocalTime, localDate, localTime, matches, type Targets, targetsAt } from './schedule.ts'
export {
  destinationText,
  deviceGroupName,
  forwardName,
  pbxName,
  scheduleText,
  targetKindOf,
} from './words.ts'
