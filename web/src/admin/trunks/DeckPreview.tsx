import { deckFaultWords } from '@trunkline/contract/deck-words'
import type { DeckCheck, RateChange } from '@trunkline/contract/rate-decks'
import { useState } from 'react'
import { formatExactMoney } from '../../common/format/money.ts'
import { formatCount, formatNumber } from '../../common/format/numbers.ts'
import { useDebouncedInput } from '../../common/use-debounced-input.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { termsOf } from './rate-terms.ts'

type DeckPreviewProps = {
  check: DeckCheck
  isBusy: boolean
  onSearch: (search: string) => void
}

const kinds = {
  new: 'New',
  dearer: 'Higher',
  cheaper: 'Lower',
  changed: 'Changed terms',
  removed: 'Removed',
  unchanged: 'Unchanged',
} as const
type Kind = keyof typeof kinds

export function DeckPreview({ check, isBusy, onSearch }: DeckPreviewProps) {
  const { counts, columns, elsewhere } = check
  const shown = Object.keys(kinds) as Kind[]
  const [chosen, setChosen] = useState<Kind | null>(null)
  const open = chosen ?? shown.find((kind) => counts[kind] > 0) ?? 'unchanged'
  const [typed, setTyped] = useDebouncedInput('', onSearch)
  const changes = check.changes.filter(({ kind }) => kind === open)
  return (
    <div className="flex flex-col gap-4" aria-busy={isBusy}>
      <BadLines check={check} />
      <Losses losses={check.losses} />
      <section aria-label="Changes">
        <div className="mb-2 flex flex-wrap items-center gap-3">
          <p role="status" className="text-muted text-sm">
            {columns.read.length > 0 && `Columns used: ${columns.read.join(', ')}. `}
            {columns.ignored.length > 0 && `Ignored: ${columns.ignored.join(', ')}. `}
            {elsewhere > 0 && `${formatCount(elsewhere, 'line is', 'lines are')} for other countries.`}
          </p>
          <SearchInput
            label="Search the changes by prefix"
            placeholder="Prefix"
            inputMode="numeric"
            className="ml-auto w-full sm:w-44"
            value={typed}
            onValueChange={(next) => setTyped(next.replace(/\D/g, '').slice(0, 15))}
          />
        </div>
        <Tabs value={open} onValueChange={(kind) => setChosen(kind as Kind)}>
          <TabList aria-label="Types of change">
            {shown.map((kind) => (
              <Tab key={kind} value={kind}>
                {kinds[kind]} <span className="figures">{formatNumber(counts[kind])}</span>
              </Tab>
            ))}
          </TabList>
          <TabPanel value={open} className="pt-2">
            <Changes
              // Starts again at the first page.
              key={`${open} ${typed}`}
              kind={open}
              changes={changes}
              total={counts[open]}
              isSearched={typed !== ''}
            />
          </TabPanel>
        </Tabs>
      </section>
    </div>
  )
}

const PAGE = 20

type ChangesProps = {
  kind: Kind
  changes: readonly RateChange[]
  total: number
  isSearched: boolean
}

function Changes({ kind, changes, total, isSearched }: ChangesProps) {
  const [page, setPage] = useState(0)
  const pages = Math.ceil(changes.length / PAGE)
  if (changes.length === 0)
    return <p className="py-4 text-muted text-sm">No {isSearched ? 'matching ' : ''}rates.</p>
  return (
    <>
      <Table label={`${kinds[kind]} rates`} maxHeight="18rem">
        <THead>
          <Tr>
            <Th>Prefix</Th>
            <Th numeric>Current</Th>
            <Th numeric>New</Th>
            <Th numeric>Line</Th>
          </Tr>
        </THead>
        <TBody>
          {changes.slice(page * PAGE, (page + 1) * PAGE).map(({ prefix, before, after, line }) => (
            <Tr key={prefix}>
              <Td className="font-mono">+{prefix}</Td>
              <Td numeric>
                <Rate rate={before} />
              </Td>
              <Td numeric>
                <Rate rate={after} />
              </Td>
              <Td numeric className="text-muted">
                {line ?? '–'}
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <p className="figures mr-auto text-muted text-sm">
          {changes.length < total && !isSearched
            ? `The ${kind === 'dearer' || kind === 'cheaper' ? 'largest' : 'first'} ${formatNumber(changes.length)} of ${formatNumber(total)}; search to see others.`
            : formatCount(changes.length, 'prefix', 'prefixes')}
        </p>
        {pages > 1 && (
          <>
            <Button size="sm" disabled={page === 0} onClick={() => setPage(page - 1)}>
              Previous
            </Button>
            <Button size="sm" disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
              Next
            </Button>
          </>
        )}
      </div>
    </>
  )
}

const Rate = ({ rate }: { rate: RateChange['before'] }) =>
  rate === null ? (
    '–'
  ) : (
    <>
      {formatExactMoney(rate.price)}
      <span className="block text-muted text-xs">{termsOf(rate)}</span>
    </>
  )

function BadLines({ check: { faults, fault_count } }: { check: DeckCheck }) {
  if (fault_count === 0) return null
  return (
    <Notice tone="danger">
      <p className="font-medium">{formatCount(fault_count, 'line')} cannot be imported</p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Invalid lines"
        className="figures mt-1.5 max-h-40 overflow-y-auto"
      >
        {faults.map((fault) => (
          <li key={fault.line}>
            Line {fault.line}: {deckFaultWords(fault)}
          </li>
        ))}
      </ul>
      {faults.length < fault_count && (
        <p className="mt-1.5">And {formatNumber(fault_count - faults.length)} more.</p>
      )}
    </Notice>
  )
}

function Losses({ losses }: { losses: DeckCheck['losses'] }) {
  if (losses.length === 0) return null
  return (
    <Notice tone="pending">
      <p className="font-medium">
        Some calls would cost more than their price. This trunk is skipped for them unless the route may sell
        below cost.
      </p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Losses"
        className="figures mt-1.5 flex max-h-40 flex-col gap-1 overflow-y-auto"
      >
        {losses.map(({ route, trunk, prefixes, is_more, examples }) => (
          <li key={`${route.id} ${trunk.id}`}>
            {route.name} over {trunk.name}: {is_more && 'more than '}
            {formatCount(prefixes, 'prefix', 'prefixes')}, such as{' '}
            {examples
              .slice(0, 3)
              .map(
                ({ prefix, buy, sell }) =>
                  `+${prefix} at ${formatExactMoney(buy)}, sold at ${formatExactMoney(sell)}`,
              )
              .join('; ')}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
