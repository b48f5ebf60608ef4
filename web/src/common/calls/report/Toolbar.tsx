import { SEARCH_MAX } from '@trunkline/contract/limits'
import { type ReactNode, useRef, useState } from 'react'
import { DayFields } from '../../DayFields.tsx'
import { FilterButton } from '../../FilterButton.tsx'
import { FiltersInUse } from '../../FiltersInUse.tsx'
import { PeriodSelect } from '../../PeriodSelect.tsx'
import type { Period } from '../../period.ts'
import { SavedViews } from '../../SavedViews.tsx'
import { SearchBox } from '../../SearchBox.tsx'
import { Exports } from './Exports.tsx'
import { type FilterForm, FilterPanel } from './FilterPanel.tsx'
import { describeFilters, type FilterRules } from './filters.ts'
import { type CdrSearch, DEFAULT_PERIOD, filtersIn, type Selection, withFilters } from './search.ts'

type ToolbarProps = { selection: Selection; onSelect: (next: CdrSearch, replace?: boolean) => void }

/** The parts of the toolbar that only administrators see. */
export type OperatorToolbar = {
  /** On wide screens in line with the toolbar. */
  heading: ReactNode
  rules: FilterRules
  fields: (form: FilterForm) => ReactNode
  /** The text of each additional filter, and the selection without it. */
  chips: readonly { text: string; without: Selection }[]
  afterChips: ReactNode
  columnMenu: ReactNode
}

/** Search, period and filters. The URL holds all of them. */
export function Toolbar({
  selection,
  onSelect,
  operator,
}: ToolbarProps & { operator?: OperatorToolbar | undefined }) {
  const { period = DEFAULT_PERIOD } = selection
  const [isOpen, setOpen] = useState(false)
  const filterButton = useRef<HTMLButtonElement>(null)
  const filters = filtersIn(selection)
  const count = Object.keys(filters).length

  const chips = describeFilters(filters).map(({ text, without }) => ({
    text,
    without: withFilters(selection, without),
  }))

  return (
    <div className={operator ? 'mb-4 lg:mb-2' : 'mb-4'}>
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {operator?.heading}
        <SearchBox
          label="Search calls"
          placeholder="Search calls..."
          maxLength={SEARCH_MAX}
          className="min-w-52 flex-1 max-sm:col-span-2"
          text={selection.search}
          onSearch={(search) => onSelect({ ...selection, search }, true)}
        />
        <PeriodSelect
          className="max-[22rem]:col-span-2 sm:w-40"
          period={period}
          onChoose={(chosen) => onSelect(inPeriod(selection, chosen))}
        />
        <FilterButton
          ref={filterButton}
          count={count}
          isOpen={isOpen}
          panel="cdr-filters"
          onToggle={() => setOpen(!isOpen)}
        />
        {operator?.columnMenu}
        <SavedViews screen={operator ? 'calls' : 'cdr'} />
        <Exports selection={selection} />
      </div>
      {period === 'custom' && selection.hour === undefined && (
        <Days selection={selection} onSelect={onSelect} />
      )}
      {isOpen && (
        <FilterPanel
          id="cdr-filters"
          // Remounts when a chip or the Back button changes the filters.
          key={JSON.stringify(filters)}
          filters={filters}
          rules={operator?.rules}
          fields={operator?.fields}
          onApply={(next) => {
            onSelect(withFilters(selection, next))
            setOpen(false)
            filterButton.current?.focus()
          }}
        />
      )}
      <FiltersInUse
        filters={[...chips, ...(operator?.chips ?? [])]}
        className={operator ? 'mt-3 lg:mt-2' : 'mt-3'}
        onSelect={(next) => {
          onSelect(next)
          filterButton.current?.focus()
        }}
      >
        {operator?.afterChips}
      </FiltersInUse>
    </div>
  )
}

/** Only the custom range has days. */
function inPeriod(selection: Selection, period: Period): Selection {
  const { from: _from, to: _to, hour: _hour, ...others } = selection
  return { ...others, period }
}

const Days = ({ selection, onSelect }: ToolbarProps) => (
  <div className="mt-3 flex flex-wrap items-start gap-3">
    <DayFields
      from={selection.from}
      to={selection.to}
      className="min-w-40 max-sm:flex-1"
      onChange={(name, day) => onSelect({ ...selection, [name]: day }, true)}
    />
    {!selection.from && !selection.to && (
      <p className="self-end pb-2.5 text-muted text-sm max-sm:w-full">Leave blank to show all calls.</p>
    )}
  </div>
)
