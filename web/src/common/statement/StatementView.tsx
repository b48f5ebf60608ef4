import type { UseQueryResult } from '@tanstack/react-query'
import { postingKinds } from '@trunkline/contract/posting-kinds'
import type { StatementLine } from '@trunkline/contract/statements'
import type { ReactNode } from 'react'
import { explain } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Field } from '../../ui/Field.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DayFields } from '../DayFields.tsx'
import { Failure } from '../Failure.tsx'
import { formatMoney, formatRest, formatTaken } from '../format/money.ts'
import { viewersZone } from '../format/viewer.ts'
import { Pager } from '../Pager.tsx'
import { usePagination } from '../use-pagination.ts'
import { type DetailsOf, Movements, MovementsSkeleton } from './Movements.tsx'
import { type MovementKind, type Selection, type StatementSearch, selectionOf } from './search.ts'

type StatementPage<Line> = {
  balance: number
  held: number
  available: number
  lines: Line[]
  next: number | null
}

type StatementViewProps<Line> = {
  query: UseQueryResult<StatementPage<Line>>
  search: StatementSearch
  onGo: (next: StatementSearch, replace?: boolean) => void
  detailsOf: DetailsOf<Line>
  /** Beside the balance. */
  actions: ReactNode
  /** Beside the filters. */
  exporting: ReactNode
}

/** The balance, the filters and the lines of a statement, for the customer and for administrators. */
export function StatementView<Line extends StatementLine>({
  query,
  search,
  onGo,
  detailsOf,
  actions,
  exporting,
}: StatementViewProps<Line>) {
  const selection = selectionOf(search)
  const { data, isPlaceholderData } = query
  const pagination = usePagination({ ...selection }, search.before, isPlaceholderData ? null : data?.next)
  if (query.isError && !data)
    return (
      <Failure onRetry={() => void query.refetch()}>
        {explain(query.error, 'The statement could not be loaded.')}
      </Failure>
    )
  return (
    <>
      <Card aria-label="Balance" className="mb-4 flex flex-wrap items-center gap-x-10 gap-y-4">
        <Figures data={data} />
        <div className="flex flex-wrap gap-2 sm:ml-auto">{actions}</div>
      </Card>
      <div className="mb-4 flex flex-wrap items-end gap-x-3 gap-y-2">
        <Filters selection={selection} onSelect={onGo} />
        <div className="flex flex-wrap gap-2 max-sm:w-full sm:ml-auto">{exporting}</div>
      </div>
      <Card aria-label="Statement" className="p-0" aria-busy={query.isPending || isPlaceholderData}>
        {!data ? (
          <MovementsSkeleton />
        ) : data.lines.length === 0 ? (
          <Nothing search={search} onShowAll={() => onGo({})} />
        ) : (
          <>
            <Movements lines={data.lines} isOld={isPlaceholderData} detailsOf={detailsOf} />
            <Pager
              label="Pages of the statement"
              pagination={pagination}
              note={`Times in ${viewersZone().replaceAll('_', ' ')}`}
              onGo={(before) => onGo({ ...selection, ...(before !== undefined && { before }) })}
            />
          </>
        )}
      </Card>
    </>
  )
}

type Funds = Pick<StatementPage<unknown>, 'balance' | 'held'>

function Figures({ data }: { data: Funds | undefined }) {
  const figures: [name: string, figure: string | undefined][] = [
    ['Balance', data && formatMoney(data.balance)],
    ['Held for live calls', data && formatTaken(data.balance, data.held)],
    ['Available', data && formatRest(data.balance, data.held)],
  ]
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt className="engraved text-muted">{name}</dt>
          <dd className="figures mt-1 flex h-8 items-center font-semibold text-2xl tracking-tight">
            {figure ?? <Skeleton className="h-5 w-24" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type FiltersProps = { selection: Selection; onSelect: (next: Selection, replace?: boolean) => void }

function Filters({ selection, onSelect }: FiltersProps) {
  const { kind, from, to } = selection
  const change = (part: Partial<Record<keyof Selection, string>>, replace = false) => {
    const next = { ...selection, ...part }
    onSelect(Object.fromEntries(Object.entries(next).filter(([, value]) => value)) as Selection, replace)
  }
  return (
    <>
      <Field label="Type" className="w-48 max-sm:w-full">
        <Select
          value={kind ?? ''}
          onChange={({ target }) => change({ kind: target.value as MovementKind | '' })}
        >
          <option value="">All types</option>
          <option value="without_calls">All except calls</option>
          <Options of={Object.entries(postingKinds)} />
        </Select>
      </Field>
      <DayFields
        from={from}
        to={to}
        className="min-w-36 max-sm:flex-1"
        onChange={(name, day = '') => change({ [name]: day }, true)}
      />
    </>
  )
}

function Nothing({ search, onShowAll }: { search: StatementSearch; onShowAll: () => void }) {
  const isNarrowed = Object.keys(selectionOf(search)).length > 0
  if (search.before === undefined && !isNarrowed)
    return (
      <EmptyState
        title="No transactions yet"
        text="Top-ups, calls, rent, refunds and adjustments are listed here with the balance after each."
      />
    )
  return (
    <EmptyState
      title={isNarrowed ? 'No matching transactions' : 'No older transactions'}
      text={isNarrowed ? 'Change the type or the dates.' : 'You have reached the start of the statement.'}
      action={<Button onClick={onShowAll}>Show full statement</Button>}
    />
  )
}
