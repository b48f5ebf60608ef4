import { CsvButton } from '../../common/CsvButton.tsx'
import { DayInput } from '../../common/DayInput.tsx'
import { SavedViews } from '../../common/SavedViews.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { questionOf } from './queries.ts'
import {
  type AnalysisSearch,
  type By,
  type Days,
  grainOf,
  grains,
  grainsFor,
  groups,
  type Period,
  periods,
} from './search.ts'

type ToolbarProps = {
  search: AnalysisSearch
  days: Days
  fault: string | undefined
  onGo: (next: AnalysisSearch) => void
}

export function Toolbar({ search, days, fault, onGo }: ToolbarProps) {
  const { key: _key, rows: _rows, ...others } = search
  return (
    <div className="mb-2">
      <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <h1 className="mr-2 font-semibold text-2xl tracking-tight max-sm:col-span-2">Analysis</h1>
        <Select
          aria-label="Group by"
          className="sm:w-36"
          value={search.by ?? 'country'}
          onChange={({ target }) => {
            const { sort: _sort, order: _order, ...rest } = others
            onGo({ ...rest, by: target.value as By })
          }}
        >
          <Options of={Object.entries(groups).map(([by, { label }]) => [by, label])} />
        </Select>
        <Select
          aria-label="Period"
          className="sm:w-40"
          value={search.period ?? 'week'}
          onChange={({ target }) => onGo(withPeriod(search, target.value as Period, days))}
        >
          <Options of={Object.entries(periods)} />
        </Select>
        {search.period === 'custom' && (
          <>
            <Day label="First day" value={days.from} onChange={(from) => onGo({ ...search, from })} />
            <Day label="Last day" value={days.to} onChange={(to) => onGo({ ...search, to })} />
          </>
        )}
        <Select
          aria-label="Steps of the chart"
          className="sm:w-32"
          value={grainOf(search, days)}
          onChange={({ target }) => onGo({ ...search, grain: target.value as keyof typeof grains })}
        >
          <Options of={grainsFor(days).map((grain) => [grain, grains[grain]])} />
        </Select>
        <div className="flex gap-2 max-sm:col-span-2 sm:ml-auto">
          <SavedViews screen="analysis" />
          <CsvButton
            of="rows"
            address="GET /api/admin/analysis.csv"
            query={questionOf(search, days)}
            fileName={`analysis_${search.by ?? 'country'}_${days.from}_${days.to}.csv`}
          />
        </div>
      </div>
      {fault && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {fault}
        </p>
      )}
    </div>
  )
}

/** A custom range starts with the days that were shown. The step of the chart follows the length. */
function withPeriod(search: AnalysisSearch, period: Period, days: Days): AnalysisSearch {
  const { from: _from, to: _to, grain: _grain, ...others } = search
  return { ...others, period, ...(period === 'custom' && days) }
}

type DayProps = { label: string; value: string; onChange: (day: string) => void }

const Day = ({ label, value, onChange }: DayProps) => (
  <DayInput
    required
    aria-label={label}
    className="sm:w-40"
    day={value}
    onDay={(day) => day !== undefined && onChange(day)}
  />
)
