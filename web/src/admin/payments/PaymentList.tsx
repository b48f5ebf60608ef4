import { useQuery } from '@tanstack/react-query'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { Pager } from '../../common/Pager.tsx'
import { viewersZone } from '../../common/period.ts'
import { usePlaces } from '../../common/use-places.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PaymentTable, PaymentTableSkeleton } from './PaymentTable.tsx'
import { pageQuery } from './queries.ts'
import { Sums } from './Sums.tsx'
import { type PaymentsSearch, selectionOf } from './search.ts'
import { Toolbar } from './Toolbar.tsx'

type PaymentListProps = {
  search: PaymentsSearch
  onGo: (next: PaymentsSearch, replace?: boolean) => void
}

export function PaymentList({ search, onGo }: PaymentListProps) {
  const selection = selectionOf(search)
  const page = useQuery(pageQuery(selection, search.before))
  const places = usePlaces(selection, search.before, page.isPlaceholderData ? null : page.data?.next)
  const payments = page.data?.payments ?? []
  const username = page.isPlaceholderData ? undefined : payments[0]?.user.username
  return (
    <>
      <Toolbar selection={selection} username={username} onSelect={onGo} />
      <Sums selection={selection} />
      <Card aria-label="Payments" className="p-0" aria-busy={page.isPending || page.isPlaceholderData}>
        {page.isPending ? (
          <PaymentTableSkeleton />
        ) : page.isError && !page.data ? (
          <div className="p-5">
            <Failure onRetry={() => void page.refetch()}>
              {explain(page.error, 'The payments could not be loaded.')}
            </Failure>
          </div>
        ) : payments.length === 0 ? (
          <Nothing search={search} onGo={onGo} />
        ) : (
          <>
            <PaymentTable payments={payments} isOld={page.isPlaceholderData} search={search} />
            <Pager
              label="Pages of payments"
              places={places}
              note={`Times in ${viewersZone().replaceAll('_', ' ')}`}
              onGo={(before) => onGo({ ...selection, ...(before !== undefined && { before }) })}
            />
          </>
        )}
      </Card>
    </>
  )
}

function Nothing({ search, onGo }: PaymentListProps) {
  const selection = selectionOf(search)
  if (search.before !== undefined)
    return (
      <EmptyState
        title="No older payments"
        text="This is where the list ends."
        action={<Button onClick={() => onGo(selection)}>Newest payments</Button>}
      />
    )
  if (Object.keys(selection).length > 0)
    return (
      <EmptyState
        title={search.refundable ? 'Nothing to refund fits' : 'No payments fit'}
        text="Nothing fits everything that was asked for."
        action={<Button onClick={() => onGo({})}>Clear search and filters</Button>}
      />
    )
  return (
    <EmptyState
      title="No payments yet"
      text="A payment is listed here as soon as a customer begins a top-up or an upgrade."
    />
  )
}
