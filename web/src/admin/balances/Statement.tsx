import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@trunkline/contract'
import { postingKinds } from '@trunkline/contract/posting-kinds'
import { useState } from 'react'
import { explain } from '../../app/api.ts'
import { CsvButton } from '../../common/CsvButton.tsx'
import { DayFields } from '../../common/DayFields.tsx'
import { Failure } from '../../common/Failure.tsx'
import { formatMoney, formatRest, formatTaken } from '../../common/format/money.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import { Pager } from '../../common/Pager.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { rereadMoney } from '../reread-money.ts'
import { AdjustDialog } from './AdjustDialog.tsx'
import { Movements, MovementsSkeleton } from './Movements.tsx'
import { statementQuery } from './queries.ts'
import { type BalancesSearch, filtersOf, type MovementKind, type Selection, selectionOf } from './search.ts'

type StatementProps = {
  userId: number
  search: BalancesSearch
  onGo: (next: BalancesSearch, replace?: boolean) => void
}

type Answer = AnswerOf<'GET /api/admin/users/:id/statement'>

export function Statement({ userId, search, onGo }: StatementProps) {
  const selection = selectionOf(search)
  const page = useQuery(statementQuery(userId, selection, search.before))
  const pagination = usePagination(
    { ...selection },
    search.before,
    page.isPlaceholderData ? null : page.data?.next,
  )
  const [isAdjusting, setAdjusting] = useState(false)
  const { data } = page
  if (page.isError && !data)
    return (
      <Failure onRetry={() => void page.refetch()}>
        {explain(page.error, 'The statement could not be loaded.')}
      </Failure>
    )
  return (
    <>
      <Funds data={data} userId={userId} onAdjust={() => setAdjusting(true)} />
      <Filters userId={userId} selection={selection} onSelect={(next) => onGo({ user: userId, ...next })} />
      <Card aria-label="Statement" className="p-0" aria-busy={page.isPending || page.isPlaceholderData}>
        {!data ? (
          <MovementsSkeleton />
        ) : data.lines.length === 0 ? (
          <Nothing search={search} onGo={onGo} />
        ) : (
          <>
            <Movements lines={data.lines} isOld={page.isPlaceholderData} />
            <Pager
              label="Pages of the statement"
              pagination={pagination}
              note={`Times in ${viewersZone().replaceAll('_', ' ')}`}
              onGo={(before) => onGo({ user: userId, ...selection, ...(before !== undefined && { before }) })}
            />
          </>
        )}
      </Card>
      {isAdjusting && data && (
        <AdjustDialog
          user={{ ...data.user, balance: data.balance, held: data.held }}
          onDone={(adjusted) => {
            setAdjusting(false)
            if (adjusted) void rereadMoney()
          }}
        />
      )}
    </>
  )
}

type FundsProps = { data: Answer | undefined; userId: number; onAdjust: () => void }

function Funds({ data, userId, onAdjust }: FundsProps) {
  const figures: [name: string, figure: string | undefined][] = [
    ['Balance', data && formatMoney(data.balance)],
    ['Held for live calls', data && formatTaken(data.balance, data.held)],
    ['Available', data && formatRest(data.balance, data.held)],
  ]
  return (
    <Card aria-label="Balance" className="mb-4 flex flex-wrap items-center gap-x-10 gap-y-4">
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
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        <Link
          to="/admin-panal/payments"
          search={{ user: userId }}
          className={buttonClass({ variant: 'ghost' })}
        >
          Payments
        </Link>
        <Button variant="primary" disabled={!data} onClick={onAdjust}>
          Adjust balance
        </Button>
      </div>
    </Card>
  )
}

type FiltersProps = { userId: number; selection: Selection; onSelect: (next: Selection) => void }

function Filters({ userId, selection, onSelect }: FiltersProps) {
  const { kind, from, to } = selection
  const change = (part: Partial<Record<keyof Selection, string>>) => {
    const next = { ...selection, ...part }
    onSelect(Object.fromEntries(Object.entries(next).filter(([, value]) => value)) as Selection)
  }
  return (
    <div className="mb-4 flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field label="Type" className="w-48 max-sm:w-full">
        <Select
          value={kind ?? ''}
          onChange={({ target }) => change({ kind: target.value as MovementKind | '' })}
        >
          <option value="">All types</option>
          <option value="without_calls">All except calls</option>
          {Object.entries(postingKinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <DayFields
        from={from}
        to={to}
        className="min-w-36 max-sm:flex-1"
        onChange={(name, day = '') => change({ [name]: day })}
      />
      <div className="flex flex-wrap gap-2 max-sm:w-full sm:ml-auto">
        <CsvButton
          of="movements"
          address="GET /api/admin/users/:id/statement.csv"
          params={{ id: userId }}
          query={{ ...filtersOf(selection), timezone: viewersZone() }}
          fileName="statement.csv"
        />
      </div>
    </div>
  )
}

function Nothing({ search, onGo }: Pick<StatementProps, 'search' | 'onGo'>) {
  const { user, before } = search
  const isNarrowed = Object.keys(selectionOf(search)).length > 0
  if (before === undefined && !isNarrowed)
    return (
      <EmptyState
        title="No transactions yet"
        text="Top-ups, calls, refunds and adjustments are listed here with the balance after each."
      />
    )
  return (
    <EmptyState
      title={isNarrowed ? 'No matching transactions' : 'No older transactions'}
      text={isNarrowed ? 'Change the type or the dates.' : 'You have reached the start of the statement.'}
      action={<Button onClick={() => onGo(user === undefined ? {} : { user })}>Show full statement</Button>}
    />
  )
}
