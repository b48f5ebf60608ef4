import { useQuery } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatRate } from '../../common/format/money.ts'
import { formatCount } from '../../common/format/numbers.ts'
import { useDebouncedInput } from '../../common/use-debounced-input.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Field } from '../../ui/Field.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { Skeleton, SkeletonTable } from '../../ui/Skeleton.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/toast.ts'
import { DeckImport } from './DeckImport.tsx'
import { DeckTimeline } from './DeckTimeline.tsx'
import { downloadDeck } from './download-deck.ts'
import { type ListedRate, ratesQuery, routesQuery, trunksQuery } from './queries.ts'
import { termsOf } from './rate-terms.ts'
import { type ListName, writeListName } from './search.ts'

type RatesProps = {
  list: ListName | null
  find: string
  onChoose: (choice: { list?: string; find?: string }) => void
}

export function Rates({ list, find, onChoose }: RatesProps) {
  const trunks = useQuery(trunksQuery)
  const routes = useQuery(routesQuery)
  const first = trunks.data?.[0]
  const chosen = list ?? (first ? { shelf: 'trunk' as const, id: first.id } : null)
  if (!trunks.data || !routes.data) {
    const error = trunks.error ?? routes.error
    if (!error)
      return (
        <div aria-busy="true">
          <Skeleton className="mb-4 h-16 max-w-md" />
          <Card className="p-0">
            <WaitingRates />
          </Card>
        </div>
      )
    return (
      <Failure onRetry={() => void Promise.all([trunks.refetch(), routes.refetch()])}>
        {explain(error, 'The price lists could not be loaded.')}
      </Failure>
    )
  }
  if (!chosen)
    return (
      <Card>
        <EmptyState
          title="No price lists yet"
          text="Add a carrier or a route first. Each has its own price list."
        />
      </Card>
    )
  return (
    <>
      <Field label="Price list" className="mb-4 max-w-md">
        <Select value={writeListName(chosen)} onChange={(event) => onChoose({ list: event.target.value })}>
          <optgroup label="Carrier rates">
            <Options
              of={trunks.data.map(({ id, name, rate_count = 0 }) => [
                writeListName({ shelf: 'trunk', id }),
                `${name} (${rate_count})`,
              ])}
            />
          </optgroup>
          <optgroup label="Route prices">
            <Options
              of={routes.data.map(({ id, name, country, rate_count }) => [
                writeListName({ shelf: 'route', id }),
                `${name}, ${country} (${rate_count})`,
              ])}
            />
          </optgroup>
        </Select>
      </Field>
      <PriceList
        key={writeListName(chosen)}
        list={chosen}
        owner={ownerOf(chosen, trunks.data, routes.data)}
        find={find}
        onFind={(next) => onChoose({ list: writeListName(chosen), ...(next !== '' && { find: next }) })}
      />
    </>
  )
}

/** The owner of the list, and the price of numbers that match no prefix. */
type ListOwner = { name: string; otherwise: number }

function ownerOf(
  { shelf, id }: ListName,
  trunks: readonly { id: number; name: string; buy_rate?: number }[],
  routes: readonly { id: number; name: string; price: number }[],
): ListOwner | null {
  const trunk = shelf === 'trunk' ? trunks.find((each) => each.id === id) : undefined
  if (trunk) return { name: trunk.name, otherwise: trunk.buy_rate ?? 0 }
  const route = shelf === 'route' ? routes.find((each) => each.id === id) : undefined
  return route ? { name: route.name, otherwise: route.price } : null
}

type PriceListProps = {
  list: ListName
  owner: ListOwner | null
  find: string
  onFind: (find: string) => void
}

function PriceList({ list, owner, find, onFind }: PriceListProps) {
  /** The cursors of the pages so far; the last one is shown. */
  const [turned, setTurned] = useState<readonly string[]>([])
  const page = useQuery(ratesQuery(list, find, turned.at(-1)))
  const [typed, setTyped] = useDebouncedInput(find, (rest) => {
    setTurned([])
    onFind(rest)
  })
  const [isImporting, setImporting] = useState(false)
  const [isSaving, setSaving] = useState(false)

  async function save() {
    setSaving(true)
    try {
      await downloadDeck(list)
    } catch (error) {
      toast.error(explain(error, 'The price list could not be downloaded.'))
    } finally {
      setSaving(false)
    }
  }

  if (!owner)
    return (
      <Card>
        <EmptyState
          title="This price list no longer exists"
          text="Its carrier or route was deleted. Choose another list."
        />
      </Card>
    )
  return (
    <Card aria-label={`Rates of ${owner.name}`} className="p-0" aria-busy={page.isFetching}>
      <div className="flex flex-wrap items-center gap-3 border-b p-3 sm:p-4 lg:py-2">
        <SearchInput
          label="Search by prefix or number"
          placeholder="Prefix or number"
          inputMode="numeric"
          className="w-full sm:max-w-60"
          value={typed}
          onValueChange={(next) => setTyped(next.replace(/\D/g, '').slice(0, 15))}
        />
        <p role="status" className="figures text-muted text-sm">
          {page.data && formatCount(page.data.total, 'prefix', 'prefixes')}
          {find !== '' && page.data && ' found'}, {formatRate(owner.otherwise)} otherwise
        </p>
        <div className="ml-auto flex gap-2 max-sm:w-full">
          <Button busy={isSaving} className="max-sm:flex-1" onClick={() => void save()}>
            <Download aria-hidden />
            Export CSV
          </Button>
          <Button variant="primary" className="max-sm:flex-1" onClick={() => setImporting(true)}>
            <Upload aria-hidden />
            Import CSV
          </Button>
        </div>
      </div>
      <DeckTimeline list={list} name={owner.name} />
      {page.isPending ? (
        <WaitingRates />
      ) : !page.data ? (
        <div className="p-4">
          <Failure onRetry={() => void page.refetch()}>
            {explain(page.error, 'The rates could not be loaded.')}
          </Failure>
        </div>
      ) : page.data.rates.length === 0 ? (
        <EmptyState
          title={find === '' ? 'No prefix rates' : `No rate for ${find}`}
          text={
            find === ''
              ? `Every number costs ${formatRate(owner.otherwise)}. Import a rate deck to set prices by prefix.`
              : `Numbers with this prefix cost ${formatRate(owner.otherwise)}.`
          }
        />
      ) : (
        <>
          <RateTable name={owner.name} rates={page.data.rates} />
          <nav aria-label="Pages of rates" className="flex justify-end gap-2 border-t px-3 py-3 sm:px-4">
            <p className="figures mr-auto self-center text-muted text-sm">Page {turned.length + 1}</p>
            <Button size="sm" disabled={turned.length === 0} onClick={() => setTurned(turned.slice(0, -1))}>
              Previous
            </Button>
            <Button
              size="sm"
              disabled={page.data.next === null || page.isPlaceholderData}
              onClick={() => page.data?.next && setTurned([...turned, page.data.next])}
            >
              Next
            </Button>
          </nav>
        </>
      )}
      {isImporting && <DeckImport list={list} name={owner.name} onClose={() => setImporting(false)} />}
    </Card>
  )
}

type RateTableProps = { name: string; rates: readonly ListedRate[] }

const RateTable = ({ name, rates }: RateTableProps) => (
  <Table label={`Prefixes of ${name}`}>
    <THead>
      <Tr>
        <Th>Prefix</Th>
        <Th>Terms</Th>
        <Th numeric>Price</Th>
      </Tr>
    </THead>
    <TBody>
      {rates.map((rate) => (
        <Tr key={rate.prefix}>
          <Td className="font-mono">+{rate.prefix}</Td>
          <Td className="text-muted">{termsOf(rate)}</Td>
          <Td numeric>{formatRate(rate.price)}</Td>
        </Tr>
      ))}
    </TBody>
  </Table>
)

const WaitingRates = () => (
  <SkeletonTable rows={8} className="h-10" parts={['w-24', 'w-40 max-sm:hidden', 'ml-auto w-20']} />
)
