import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { differenceKinds as kindWords } from '@trunkline/contract/carrier-invoice-words'
import type { CarrierInvoice, InvoiceCall } from '@trunkline/contract/carrier-invoices'
import { CircleCheck } from 'lucide-react'
import { withoutGaps } from '../../common/address.ts'
import { CsvButton } from '../../common/CsvButton.tsx'
import { formatDuration } from '../../common/format/durations.ts'
import { formatExactMoney, formatSignedMoney } from '../../common/format/money.ts'
import { formatCount, formatNumber } from '../../common/format/numbers.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { Moment } from '../../common/Moment.tsx'
import { inOrder, Pager } from '../../common/Pager.tsx'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { BlockTable } from '../../ui/BlockTable.tsx'
import { buttonClass, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Td, Th, Tr } from '../../ui/Table.tsx'
import { invoiceCallsQuery } from './queries.ts'
import type { InvoiceSearch } from './search.ts'
import { differencesOf } from './words.ts'

type DifferencesProps = { invoice: CarrierInvoice; search: InvoiceSearch }

/** The differences by kind, and the calls behind them. */
export function Differences({ invoice, search }: DifferencesProps) {
  const { id } = invoice
  const navigate = useNavigate()
  const query = useQuery(invoiceCallsQuery(id, search))
  const pagination = usePagination(
    { kind: search.kind },
    search.after,
    query.isPlaceholderData ? null : query.data?.next,
  )
  return (
    <section aria-label="Differences" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <Kinds invoice={invoice} chosen={search.kind} />
        <CsvButton
          address="GET /api/admin/carrier-invoices/:id/calls.csv"
          params={{ id }}
          query={withoutGaps({ kind: search.kind })}
          fileName={`carrier-invoice-${id}.csv`}
          of="calls"
        />
      </div>
      <ListCard
        label="Compared calls"
        query={query}
        failed="The calls could not be loaded."
        waiting={<SkeletonRows rows={8} className="m-4 h-8" />}
      >
        {({ calls }) =>
          calls.length === 0 ? (
            <EmptyState
              icon={<CircleCheck />}
              title={search.kind ? 'No calls of this kind' : 'No differences'}
              text={search.kind ? undefined : 'Every call of the invoice agrees with our records.'}
            />
          ) : (
            <>
              <CallTable calls={calls} isOld={query.isPlaceholderData} />
              <Pager
                label="Pages of compared calls"
                words={inOrder}
                pagination={pagination}
                onGo={(after) =>
                  void navigate({
                    to: '/admin-panal/trunks/invoices/$id',
                    params: { id: String(id) },
                    search: withoutGaps({ kind: search.kind, after }),
                    resetScroll: false,
                  })
                }
              />
            </>
          )
        }
      </ListCard>
      <Terms invoice={invoice} />
    </section>
  )
}

function Kinds({ invoice, chosen }: { invoice: CarrierInvoice; chosen: InvoiceSearch['kind'] }) {
  const all = differencesOf(invoice)
  return (
    <nav aria-label="Kinds of differences" className="min-w-0 flex-1 basis-72">
      <ul className="grid grid-cols-2 gap-2 lg:grid-cols-7 short:max-lg:flex short:max-lg:overflow-x-auto short:max-lg:*:w-36 short:max-lg:*:shrink-0">
        <Kind
          invoice={invoice}
          kind={undefined}
          isChosen={chosen === undefined}
          label="All differences"
          calls={all.calls}
          stake={stakeWords(all.over, 0)}
        />
        {invoice.sums.map(({ kind, calls, over, under }) => (
          <Kind
            key={kind}
            invoice={invoice}
            kind={kind}
            isChosen={chosen === kind}
            label={kindWords[kind].label}
            calls={calls}
            stake={kind === 'equal' ? '' : stakeWords(over, under)}
          />
        ))}
      </ul>
    </nav>
  )
}

/** `+$0.50` charged too much, `-$0.01` too little. */
const stakeWords = (over: number, under: number): string =>
  [over > 0 && formatSignedMoney(over), under > 0 && formatSignedMoney(-under)].filter(Boolean).join(' / ') ||
  '$0.00'

type KindProps = {
  invoice: CarrierInvoice
  kind: InvoiceSearch['kind']
  isChosen: boolean
  label: string
  calls: number
  stake: string
}

const Kind = ({ invoice, kind, isChosen, label, calls, stake }: KindProps) => (
  <li>
    <Link
      to="/admin-panal/trunks/invoices/$id"
      params={{ id: String(invoice.id) }}
      search={withoutGaps({ kind })}
      resetScroll={false}
      preload={false}
      aria-current={isChosen || undefined}
      className={cx(
        'flex h-full flex-col justify-between rounded-md border px-2.5 py-1 hover:border-edge',
        isChosen ? 'border-signal-ink bg-signal-soft' : 'bg-raised',
      )}
    >
      <span className="text-muted text-xs">{label}</span>
      <span className="figures flex flex-wrap items-baseline justify-between gap-x-2 text-sm">
        <span className="font-semibold">{formatNumber(calls)}</span>
        {stake}
      </span>
    </Link>
  </li>
)

/** The meaning of each kind, and what counts as equal. */
const Terms = ({ invoice }: { invoice: CarrierInvoice }) => (
  <div className="text-muted text-sm">
    <dl className="grid gap-x-8 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
      {invoice.sums.map(({ kind }) => (
        <div key={kind}>
          <dt className="inline font-medium text-ink">{kindWords[kind].label}:</dt>{' '}
          <dd className="inline">{kindWords[kind].hint}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-2">
      Calls match if their times are at most {formatCount(invoice.match_tolerance, 'second')} apart.
      Differences up to {formatCount(invoice.duration_tolerance, 'second')} and{' '}
      {formatExactMoney(invoice.price_tolerance)} count as equal.
    </p>
  </div>
)

const tones: Readonly<Record<InvoiceCall['kind'], BadgeTone>> = {
  carrier_only: 'danger',
  own_only: 'neutral',
  longer: 'pending',
  shorter: 'neutral',
  price: 'pending',
  equal: 'success',
}

const CallTable = ({ calls, isOld }: { calls: readonly InvoiceCall[]; isOld: boolean }) => (
  <BlockTable
    caption="Compared calls, the largest difference first"
    isOld={isOld}
    heads={
      <>
        <Th className="md:py-1.5 md:pl-4">Number</Th>
        <Th>Kind</Th>
        <Th>Time</Th>
        <Th numeric>Carrier</Th>
        <Th numeric>Ours</Th>
        <Th numeric>Billed</Th>
        <Th numeric>Our cost</Th>
        <Th numeric>Difference</Th>
        <Th className="md:pr-4">
          <span className="sr-only">Call record</span>
        </Th>
      </>
    }
  >
    {calls.map((call) => (
      <CallRow key={call.carrier?.line ?? call.own?.id} call={call} />
    ))}
  </BlockTable>
)

const NONE = <span className="text-muted">–</span>

function CallRow({ call: { kind, difference, carrier, own } }: { call: InvoiceCall }) {
  const number = carrier?.number ?? own?.number ?? ''
  return (
    <Tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3.5">
      <Td className="figures whitespace-nowrap font-medium max-md:order-1 max-md:p-0 md:pl-4">
        <PhoneNumber of={`+${number}`} />
        {carrier && (
          <span className="ml-2 font-normal text-muted text-xs">line {formatNumber(carrier.line)}</span>
        )}
      </Td>
      <Td className="max-md:order-3 max-md:col-span-2 max-md:p-0">
        <Badge tone={tones[kind]}>{kindWords[kind].label}</Badge>
      </Td>
      <Td className="whitespace-nowrap max-md:order-4 max-md:col-span-2 max-md:p-0 max-md:text-sm">
        <Moment at={carrier?.at ?? own?.started_at ?? ''} seconds />
      </Td>
      <Td numeric className="max-md:order-5 max-md:col-span-2 max-md:p-0 max-md:text-left">
        <span className="text-muted md:hidden">Carrier </span>
        {carrier ? formatDuration(carrier.seconds) : NONE}
        {carrier && <span className="md:hidden">, {formatExactMoney(carrier.amount)}</span>}
      </Td>
      <Td numeric className="max-md:order-6 max-md:col-span-2 max-md:p-0 max-md:text-left">
        <span className="text-muted md:hidden">Ours </span>
        {own ? formatDuration(own.seconds) : NONE}
        {own && <span className="md:hidden">, {formatExactMoney(own.cost)}</span>}
      </Td>
      <Td numeric className="max-md:hidden">
        {carrier ? formatExactMoney(carrier.amount) : NONE}
      </Td>
      <Td numeric className="max-md:hidden">
        {own ? formatExactMoney(own.cost) : NONE}
      </Td>
      <Td numeric className={cx('font-semibold max-md:order-2 max-md:p-0', difference > 0 && 'text-danger')}>
        {formatSignedMoney(difference)}
      </Td>
      <Td className="max-md:order-7 max-md:col-span-2 max-md:p-0 md:py-0.5! md:pr-4 md:text-right">
        {own && (
          <Link
            to="/admin-panal/calls"
            search={{ period: 'custom', search: own.number, call: own.id }}
            preload={false}
            className={cx(buttonClass({ size: 'sm', variant: 'ghost' }), inRowClass, 'max-md:-ml-2')}
          >
            Call record<span className="sr-only"> of +{own.number}</span>
          </Link>
        )}
      </Td>
    </Tr>
  )
}
