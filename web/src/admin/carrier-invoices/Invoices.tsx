import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CarrierInvoice } from '@trunkline/contract/carrier-invoices'
import { FileSpreadsheet } from 'lucide-react'
import { oneOf, withoutGaps } from '../../common/address.ts'
import { BackLink } from '../../common/BackLink.tsx'
import { formatExactMoney } from '../../common/format/money.ts'
import { formatCount, formatNumber } from '../../common/format/numbers.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { Moment } from '../../common/Moment.tsx'
import { Pager } from '../../common/Pager.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { Badge } from '../../ui/Badge.tsx'
import { BlockTable } from '../../ui/BlockTable.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../ui/Table.tsx'
import { trunksQuery } from '../trunks/queries.ts'
import { invoicesQuery } from './queries.ts'
import { type InvoicesSearch, invoiceStates, readInvoicesSearch } from './search.ts'
import { UploadDialog } from './UploadDialog.tsx'
import { differencesOf, periodWords, stateWords } from './words.ts'

export function Invoices() {
  const search = readInvoicesSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const query = useQuery(invoicesQuery(search))
  const trunks = useQuery(trunksQuery).data
  const { compare, before, ...filters } = search
  const pagination = usePagination(filters, before, query.isPlaceholderData ? null : query.data?.next)
  const go = (next: InvoicesSearch, replace = false) =>
    void navigate({ to: '/admin-panal/trunks/invoices', search: next, replace, resetScroll: false })
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <BackLink to="/admin-panal/trunks">Trunks &amp; Plans</BackLink>
      <header className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="mr-auto font-semibold text-2xl tracking-tight max-sm:w-full">Carrier invoices</h1>
        <Select
          aria-label="Filter by carrier"
          className="w-48 max-sm:flex-1"
          value={filters.trunk ?? ''}
          onChange={({ target }) =>
            go(withoutGaps({ ...filters, trunk: Number(target.value) || undefined }), true)
          }
        >
          <option value="">All carriers</option>
          <Options of={trunks?.map(({ id, name }) => [id, name])} />
        </Select>
        <Select
          aria-label="Filter by state"
          className="w-36 max-sm:flex-1"
          value={filters.state ?? ''}
          onChange={({ target }) =>
            go(withoutGaps({ ...filters, state: oneOf(invoiceStates, target.value) }), true)
          }
        >
          <option value="">Any state</option>
          <Options of={invoiceStates.map((state) => [state, stateWords[state].label])} />
        </Select>
        <Button variant="primary" className="max-sm:w-full" onClick={() => go({ ...search, compare: 1 })}>
          <FileSpreadsheet aria-hidden />
          Compare an invoice
        </Button>
      </header>
      <ListCard
        label="Carrier invoices"
        query={query}
        failed="The invoices could not be loaded."
        waiting={<SkeletonRows rows={6} className="m-4 h-8" />}
      >
        {({ invoices }) =>
          invoices.length === 0 ? (
            <EmptyState
              icon={<FileSpreadsheet />}
              title={isNarrowed ? 'No matching invoices' : 'No invoices yet'}
              text={
                isNarrowed
                  ? 'Change the filters or show all invoices.'
                  : 'Upload a carrier’s list of calls to see what differs from your own records.'
              }
              action={isNarrowed && <Button onClick={() => go({})}>Show all invoices</Button>}
            />
          ) : (
            <>
              <InvoiceTable invoices={invoices} isOld={query.isPlaceholderData} />
              <Pager
                label="Pages of invoices"
                pagination={pagination}
                onGo={(to) => go(withoutGaps({ ...filters, before: to }))}
              />
            </>
          )
        }
      </ListCard>
      {compare && (
        <UploadDialog
          trunk={filters.trunk}
          onCompared={(id) =>
            void navigate({ to: '/admin-panal/trunks/invoices/$id', params: { id: String(id) } })
          }
          onClose={() => go(filters, true)}
        />
      )}
    </>
  )
}

const InvoiceTable = ({ invoices, isOld }: { invoices: readonly CarrierInvoice[]; isOld: boolean }) => (
  <BlockTable
    caption="Carrier invoices, newest first"
    isOld={isOld}
    heads={
      <>
        <Th className="py-2.5 md:pl-4">Invoice</Th>
        <Th>Carrier</Th>
        <Th>Period</Th>
        <Th numeric>Billed</Th>
        <Th numeric>Our cost</Th>
        <Th numeric>Differences</Th>
        <Th numeric>Charged too much</Th>
        <Th>State</Th>
        <Th className="md:pr-4">Uploaded</Th>
      </>
    }
  >
    {invoices.map((invoice) => (
      <InvoiceRow key={invoice.id} invoice={invoice} />
    ))}
  </BlockTable>
)

function InvoiceRow({ invoice }: { invoice: CarrierInvoice }) {
  const { calls, over } = differencesOf(invoice)
  const state = stateWords[invoice.state]
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3.5">
      <Td className="break-words font-medium max-md:order-1 max-md:p-0 md:max-w-48 md:truncate md:pl-4">
        <Link
          to="/admin-panal/trunks/invoices/$id"
          params={{ id: String(invoice.id) }}
          title={invoice.name}
          className="rounded-sm underline underline-offset-4"
        >
          {invoice.name}
        </Link>
      </Td>
      <Td title={invoice.trunk.name} className="max-md:order-3 max-md:p-0 md:max-w-32 md:truncate">
        {invoice.trunk.name}
      </Td>
      <Td className="max-md:order-4 md:whitespace-nowrap max-md:justify-self-end max-md:p-0 max-md:text-muted max-md:text-sm">
        {periodWords(invoice)}
      </Td>
      <Td numeric className="max-md:hidden">
        {formatExactMoney(invoice.carrier.amount)}
      </Td>
      <Td numeric className="max-md:hidden">
        {formatExactMoney(invoice.own.amount)}
      </Td>
      <Td numeric className="max-md:order-5 max-md:p-0 max-md:text-left">
        <span className="max-md:hidden">{formatNumber(calls)}</span>
        <span className="md:hidden">{formatCount(calls, 'difference')}</span>
      </Td>
      <Td numeric className="font-semibold max-md:order-6 max-md:p-0">
        {over > 0 ? formatExactMoney(over) : <span className="font-normal text-muted">None</span>}
        {over > 0 && <span className="font-normal text-muted md:hidden"> too much</span>}
      </Td>
      <Td className="max-md:order-2 max-md:justify-self-end max-md:p-0">
        <Badge tone={state.tone}>{state.label}</Badge>
      </Td>
      <Td className="max-md:order-7 md:whitespace-nowrap max-md:col-span-2 max-md:p-0 max-md:text-sm md:pr-4">
        <Moment at={invoice.uploaded_at} />
        <span className="text-muted"> by {invoice.uploaded_by ?? 'a deleted user'}</span>
      </Td>
    </Tr>
  )
}
