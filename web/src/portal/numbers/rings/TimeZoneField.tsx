import { viewersZone } from '../../../common/format/viewer.ts'
import { Field } from '../../../ui/Field.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { PLAN } from './ring-form.ts'

const zoneName = (zone: string): string => zone.replaceAll('_', ' ')

export function TimeZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  // The list of the browser leaves out UTC and old names.
  const zones = new Set([value, viewersZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return (
    <Field label="Time zone" className="sm:max-w-72">
      <Select name={`${PLAN}.timeZone`} value={value} onChange={({ target }) => onChange(target.value)}>
        <Options of={[...zones].sort().map((zone) => [zone, zoneName(zone)])} />
      </Select>
    </Field>
  )
}
