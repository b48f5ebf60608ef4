import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { AnswerOf } from '@trunkline/contract'
import { invoiceFaultWords } from '@trunkline/contract/carrier-invoice-words'
import type { CarrierInvoice } from '@trunkline/contract/carrier-invoices'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { BackLink } from '../../common/BackLink.tsx'
import { Confirm } from '../../common/Confirm.tsx'
import { formatDateTime } from '../../common/format/dates.ts'
import { formatDuration } from '../../common/format/durations.ts'
import { formatExactMoney, formatSignedMoney } from '../../common/format/money.ts'
import { formatCount, formatNumber } from '../../common/format/numbers.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { Differences } from './Differences.tsx'
import { invoiceQuery, rereadInvoices } from './queries.ts'
import { readInvoiceSearch } from './search.ts'
import { Verdict } from './Verdict.tsx'
import { periodWords, shiftWords, stateWords, toMicroDollars } from './words.ts'

export function Invoice() {
  const id = Number(useParams({ from: '/admin-gate/admin-panal/trunks/invoices/$id' }).id)
  const search = readInvoiceSearch(useSearch({ strict: false }))
  const query = useQuery(invoiceQuery(id))
  return (
    <>
      <BackLink to="/admin-panal/trunks/invoices">Carrier invoices</BackLink>
      <Loaded query={query} failed="The invoice could not be loaded." waiting={<Waiting />}>
        {({ invoice, faults }) => (
          <div className="flex flex-col gap-4">
            <Heading invoice={invoice} />
            {invoice.shift_minutes !== null && (
              <Notice tone="pending">{shiftWords(invoice.shift_minutes)}</Notice>
            )}
            <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
              <Totals invoice={invoice} />
              <Verdict key={invoice.version} invoice={invoice} />
            </div>
            <Skipped invoice={invoice} faults={faults} />
            <Differences invoice={invoice} search={search} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function Heading({ invoice }: { invoice: CarrierInvoice }) {
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const state = stateWords[invoice.state]
  return (
    <header className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <div className="mr-auto min-w-0">
        <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 break-words font-semibold text-2xl tracking-tight">
          {invoice.name}
          <Badge tone={state.tone}>{state.label}</Badge>
        </h1>
        <p className="mt-1 text-muted text-sm">
          {invoice.trunk.exists ? (
            <Link
              to="/admin-panal/trunks"
              search={{ carrier: invoice.trunk.name }}
              className="rounded-sm text-ink underline underline-offset-4"
            >
              {invoice.trunk.name}
            </Link>
          ) : (
            `${invoice.trunk.name} (deleted)`
          )}
          {' · '}
          {periodWords(invoice)} ({invoice.timezone.replaceAll('_', ' ')}) · Uploaded{' '}
          {formatDateTime(invoice.uploaded_at)} by {invoice.uploaded_by ?? 'a deleted user'}
          {invoice.file_name && <span className="break-all"> · {invoice.file_name}</span>}
        </p>
      </div>
      <Button variant="ghost" onClick={() => setDeleting(true)}>
        <Trash2 aria-hidden />
        Delete
      </Button>
      {isDeleting && (
        <Confirm
          title={`Delete ${invoice.name}?`}
          text="The comparison, its state and its note are deleted. Call records stay."
          action="Delete"
          failed="The invoice could not be deleted."
          onConfirm={async () => {
            const answer = await api('DELETE /api/admin/carrier-invoices/:id', { params: { id: invoice.id } })
            await navigate({ to: '/admin-panal/trunks/invoices' })
            return answer
          }}
          reread={rereadInvoices}
          onClose={() => setDeleting(false)}
        />
      )}
    </header>
  )
}

function Totals({ invoice: { carrier, own, ...invoice } }: { invoice: CarrierInvoice }) {
  const rows: [name: string, carrier: string, own: string, difference: string][] = [
    ['Calls', formatNumber(carrier.calls), formatNumber(own.calls), signed(carrier.calls - own.calls)],
    [
      'Duration',
      formatDuration(carrier.seconds),
      formatDuration(own.seconds),
      signedClock(carrier.seconds - own.seconds),
    ],
    [
      'Amount',
      formatExactMoney(carrier.amount),
      formatExactMoney(own.amount),
      formatSignedMoney(toMicroDollars(carrier.amount - own.amount)),
    ],
  ]
  return (
    <Card aria-label="Totals" className="p-0">
      <Table>
        <caption className="sr-only">Totals of the carrier and of our call records</caption>
        <THead>
          <Tr>
            <Th className="md:pl-4">Totals</Th>
            <Th numeric>Carrier</Th>
            <Th numeric>Ours</Th>
            <Th numeric className="md:pr-4">
              Difference
            </Th>
          </Tr>
        </THead>
        <TBody>
          {rows.map(([name, theirs, ours, difference]) => (
            <Tr key={name}>
              <Td className="md:pl-4">{name}</Td>
              <Td numeric>{theirs}</Td>
              <Td numeric>{ours}</Td>
              <Td numeric className="font-semibold md:pr-4">
                {difference}
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      <p className="border-t px-3 py-2.5 text-muted text-sm md:px-4">
        Calls match if their times are at most {formatCount(invoice.match_tolerance, 'second')} apart.
        Differences up to {formatCount(invoice.duration_tolerance, 'second')} and{' '}
        {formatExactMoney(invoice.price_tolerance)} count as equal.
      </p>
    </Card>
  )
}

const signed = (count: number): string => (count > 0 ? `+${formatNumber(count)}` : formatNumber(count))
const signedClock = (seconds: number): string =>
  `${seconds > 0 ? '+' : seconds < 0 ? '-' : ''}${formatDuration(Math.abs(seconds))}`

type SkippedProps = {
  invoice: CarrierInvoice
  faults: AnswerOf<'GET /api/admin/carrier-invoices/:id'>['faults']
}

/** Lines that were not compared. */
function Skipped({ invoice: { fault_count, free_count }, faults }: SkippedProps) {
  if (fault_count === 0 && free_count === 0) return null
  return (
    <Notice tone={fault_count > 0 ? 'pending' : 'info'}>
      {free_count > 0 && (
        <p>
          {formatCount(free_count, 'line')} without duration and amount {free_count === 1 ? 'was' : 'were'}{' '}
          left out, such as failed attempts.
        </p>
      )}
      {fault_count > 0 && (
        <details>
          <summary className="cursor-pointer rounded-sm">
            {fault_count === 1
              ? '1 line could not be read'
              : `${formatNumber(fault_count)} lines could not be read`}{' '}
            and {fault_count === 1 ? 'is' : 'are'} missing in the comparison.
          </summary>
          <ul className="figures mt-2 flex max-h-60 flex-col gap-1 overflow-y-auto">
            {faults.map((fault) => (
              <li key={fault.line} className="break-words">
                Line {fault.line}: {invoiceFaultWords(fault)}
              </li>
            ))}
          </ul>
          {faults.length < fault_count && (
            <p className="mt-1 text-muted">The first {faults.length} are listed.</p>
          )}
        </details>
      )}
    </Notice>
  )
}

const Waiting = () => (
  <div aria-busy="true" className="flex flex-col gap-4">
    <p className="sr-only" role="status">
      Loading...
    </p>
    <Skeleton className="h-9 w-72" />
    <Skeleton className="h-40" />
    <Skeleton className="h-96" />
  </div>
)
