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
  RING_SECONDS,
  type RingPlan,
  type RingRule,
  type RingStep,
} from './plan.ts'
export { type LocalTime, localDate, localTime, matches, type Targets, targetsAt } from './schedule.ts'
export { destinationText, deviceGroupName, scheduleText } from './words.ts'
