import { deviceGroups } from '@trunkline/domain/ringing'
import { capitalized, deviceWords } from '../words.ts'

/** The groups of devices that can ring, for a select. */
export const DeviceOptions = () =>
  deviceGroups.map((group) => (
    <option key={group} value={group}>
      {capitalized(deviceWords[group])}
    </option>
  ))
