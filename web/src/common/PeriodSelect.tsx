import { Options, Select } from '../ui/Select.tsx'
import { type Period, periods } from './period.ts'

type PeriodSelectProps = { period: Period; className: string; onChoose: (period: Period) => void }

export const PeriodSelect = ({ period, className, onChoose }: PeriodSelectProps) => (
  <Select
    aria-label="Period"
    className={className}
    value={period}
    onChange={(event) => onChoose(event.target.value as Period)}
  >
    <Options of={Object.entries(periods)} />
  </Select>
)
