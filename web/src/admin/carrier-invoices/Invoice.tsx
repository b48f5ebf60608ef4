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
import { useMounted } from '../../common/use-mounted.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
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
    <Loaded query={query} failed="The invoice could not be loaded." waiting={<Waiting />}>
      {({ invoice, faults }) => (
        <div className="flex flex-col gap-4 lg:gap-2 short:gap-2">
          <Heading key={invoice.id} invoice={invoice} />
          {invoice.shift_minutes !== null && (
            <Notice tone="pending" className="lg:py-1">
              {shiftWords(invoice.shift_minutes)}
            </Notice>
          )}
          <div className="flex flex-wrap items-center gap-x-8 gap-y-4 short:max-lg:contents">
            <Totals invoice={invoice} />
            <Verdict key={invoice.id} invoice={invoice} />
          </div>
          <Skipped invoice={invoice} faults={faults} />
          <Differences invoice={invoice} search={search} />
        </div>
      )}
    </Loaded>
  )
}

function Heading({ invoice }: { invoice: CarrierInvoice }) {
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const isMounted = useMounted()
  const state = stateWords[invoice.state]
  return (
    <header className="flex items-start justify-between gap-x-3">
      <div className="min-w-0 lg:flex lg:flex-wrap lg:items-center lg:gap-x-3 short:flex short:flex-wrap short:items-center short:gap-x-3">
        <BackLink to="/admin-panal/trunks/invoices" className="lg:mb-0 short:mb-0">
          Carrier invoices
        </BackLink>
        <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 break-words font-semibold text-2xl tracking-tight short:text-lg">
          {invoice.name}
          <Badge tone={state.tone}>{state.label}</Badge>
        </h1>
        <p className="mt-1 w-full text-muted text-sm lg:mt-0 short:mt-0 short:truncate">
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
      <Button variant="ghost" size="sm" onClick={() => setDeleting(true)}>
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
            if (isMounted.current) await navigate({ to: '/admin-panal/trunks/invoices' })
            return answer
          }}
          reread={rereadInvoices}
          onClose={() => setDeleting(false)}
        />
      )}
    </header>
  )
}

function Totals({ invoice: { carrier, own } }: { invoice: CarrierInvoice }) {
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
    <dl aria-label="Totals" className="figures grid grid-cols-3 gap-x-4 lg:flex lg:gap-x-8">
      {rows.map(([name, theirs, ours, difference]) => (
        <div key={name}>
          <dt className="engraved text-muted">{name}</dt>
          <dd className="text-sm">
            <span className="font-semibold">{difference}</span>
            <span className="block text-muted text-xs lg:ml-2 lg:inline">
              <span className="block lg:inline">{theirs} carrier,</span> {ours} ours
            </span>
          </dd>
        </div>
      ))}
    </dl>
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
    <Notice tone={fault_count > 0 ? 'pending' : 'info'} className="lg:py-1">
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
    <Skeleton className="h-10" />
    <Skeleton className="h-96" />
  </div>
)
