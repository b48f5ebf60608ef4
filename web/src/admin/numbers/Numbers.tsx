import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { AdminNumber } from '@trunkline/contract/numbers'
import { numberStatuses } from '@trunkline/domain/ringing'
import { Disc, FileUp, Hash, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { BackLink } from '../../common/BackLink.tsx'
import { formatNumber } from '../../common/format/numbers.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { inOrder, Pager } from '../../common/Pager.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { NumberDrawer } from './NumberDrawer.tsx'
import { NumberForm } from './NumberForm.tsx'
import { NumberTable, NumberTableSkeleton } from './NumberTable.tsx'
import { numbersQuery } from './queries.ts'
import { RecordingPrice } from './RecordingPrice.tsx'
import { SettingsDialog } from './SettingsDialog.tsx'
import { type NumbersSearch, readSearch, type Selection, selectionOf } from './search.ts'
import { Toolbar } from './Toolbar.tsx'
import { statusWords } from './words.ts'

type Opened = 'add' | 'import' | 'settings' | 'recording' | null

export function Numbers() {
  const search = readSearch(useSearch({ strict: false }))
  const selection = selectionOf(search)
  const navigate = useNavigate()
  const go = (next: NumbersSearch, replace = false) =>
    void navigate({ to: '/admin-panal/trunks/numbers', search: next, replace, resetScroll: false })
  const [opened, setOpened] = useState<Opened>(null)
  const [changed, setChanged] = useState<AdminNumber | null>(null)
  const page = useQuery(numbersQuery(selection, search.after))
  const pagination = usePagination(selection, search.after, page.isPlaceholderData ? null : page.data?.next)
  const isNarrowed = Object.keys(selection).length > 0
  const close = () => setOpened(null)

  return (
    <>
      <BackLink to="/admin-panal/trunks">Trunks &amp; Plans</BackLink>
      <header className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-semibold text-2xl tracking-tight">Numbers</h1>
        {page.data && <Statuses counts={page.data.counts} selection={selection} />}
        <div className="flex flex-wrap gap-2 max-sm:w-full sm:ml-auto">
          <Button onClick={() => setOpened('settings')}>
            <Settings2 aria-hidden />
            Settings
          </Button>
          <Button onClick={() => setOpened('recording')}>
            <Disc aria-hidden />
            Recording price
          </Button>
          <Button onClick={() => setOpened('import')}>
            <FileUp aria-hidden />
            Import CSV
          </Button>
          <AddButton variant="primary" className="max-sm:w-full" onClick={() => setOpened('add')}>
            Add number
          </AddButton>
        </div>
      </header>
      <Toolbar selection={selection} onSelect={go} />
      <ListCard
        label="Numbers"
        query={page}
        failed="The numbers could not be loaded."
        waiting={<NumberTableSkeleton />}
      >
        {({ numbers }) =>
          numbers.length === 0 ? (
            <EmptyState
              icon={<Hash />}
              title={isNarrowed || search.after ? 'No matching numbers' : 'No numbers yet'}
              text={
                isNarrowed || search.after
                  ? 'Change the search or the filters.'
                  : 'Add the numbers that your carriers deliver. Customers can then rent them.'
              }
              action={
                isNarrowed || search.after ? (
                  <Button onClick={() => go({})}>Show all numbers</Button>
                ) : (
                  <Button onClick={() => setOpened('import')}>Import a CSV file</Button>
                )
              }
            />
          ) : (
            <>
              <NumberTable numbers={numbers} isOld={page.isPlaceholderData} search={search} />
              <Pager
                label="Pages of numbers"
                pagination={pagination}
                words={inOrder}
                note="Usage and margin of the last 30 days"
                onGo={(after) => go({ ...selection, ...(after !== undefined && { after }) })}
              />
            </>
          )
        }
      </ListCard>
      <NumberDrawer
        number={newest(page.data?.numbers, changed, search.number)}
        onChanged={setChanged}
        onClose={() => go({ ...search, number: undefined }, true)}
      />
      {opened === 'add' && <NumberForm number={null} onClose={close} />}
      {opened === 'import' && <ImportDialog onClose={close} />}
      {opened === 'settings' && <SettingsDialog onClose={close} />}
      {opened === 'recording' && <RecordingPrice onClose={close} />}
    </>
  )
}

/** A number that was just changed can leave the selection. Its details stay open. */
function newest(
  listed: readonly AdminNumber[] | undefined,
  changed: AdminNumber | null,
  id: number | undefined,
): AdminNumber | undefined {
  const one = listed?.find((each) => each.id === id)
  const other = changed && changed.id === id ? changed : undefined
  if (!one || !other) return one ?? other
  return other.version > one.version ? other : one
}

type Counts = Record<'all' | keyof typeof statusWords, number>

/** The size of the inventory by status. Each figure is a filter. */
const Statuses = ({ counts, selection: { status, ...others } }: { counts: Counts; selection: Selection }) => (
  <nav aria-label="Numbers by status" className="figures -mx-1.5 flex flex-wrap text-sm">
    {([undefined, ...numberStatuses] as const).map((each) => (
      <Link
        key={each ?? 'all'}
        to="/admin-panal/trunks/numbers"
        search={each ? { ...others, status: each } : others}
        resetScroll={false}
        preload={false}
        aria-current={each === status ? 'true' : undefined}
        className={cx(
          'rounded-sm px-1.5 py-1 text-muted hover:text-ink',
          each === status && 'font-semibold text-ink',
        )}
      >
        {each ? statusWords[each].label : 'All'} {formatNumber(counts[each ?? 'all'])}
      </Link>
    ))}
  </nav>
)
