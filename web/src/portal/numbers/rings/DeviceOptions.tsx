import { deviceGroups } from '@trunkline/domain/ringing'
import { Options } from '../../../ui/Select.tsx'
import { capitalized, deviceWords } from '../words.ts'

/** The groups of devices that can ring, for a select. */
export const DeviceOptions = () => (
  <Options of={deviceGroups.map((group) => [group, capitalized(deviceWords[group])])} />
)
