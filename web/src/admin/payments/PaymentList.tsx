import { useQuery } from '@tanstack/react-query'
import { viewersZone } from '../../common/format/viewer.ts'
import { ListCard } from '../../common/ListCard.tsx'
import { Pager } from '../../common/Pager.tsx'
import { usePagination } from '../../common/use-pagination.ts'
import { Button } from '../../ui/Button.tsx'
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
  const pagination = usePagination(selection, search.before, page.isPlaceholderData ? null : page.data?.next)
  const username = page.isPlaceholderData ? undefined : page.data?.payments[0]?.user.username
  return (
    <>
      <Toolbar selection={selection} username={username} onSelect={onGo} />
      <Sums selection={selection} />
      <ListCard
        label="Payments"
        query={page}
        failed="The payments could not be loaded."
        waiting={<PaymentTableSkeleton />}
      >
        {({ payments }) =>
          payments.length === 0 ? (
            <Nothing search={search} onGo={onGo} />
          ) : (
            <>
              <PaymentTable payments={payments} isOld={page.isPlaceholderData} search={search} />
              <Pager
                label="Pages of payments"
                pagination={pagination}
                note={`Times in ${viewersZone().replaceAll('_', ' ')}`}
                onGo={(before) => onGo({ ...selection, ...(before !== undefined && { before }) })}
              />
            </>
          )
        }
      </ListCard>
    </>
  )
}

function Nothing({ search, onGo }: PaymentListProps) {
  const selection = selectionOf(search)
  if (search.before !== undefined)
    return (
      <EmptyState
        title="No older payments"
        text="You have reached the end of the list."
        action={<Button onClick={() => onGo(selection)}>Show newest payments</Button>}
      />
    )
  if (Object.keys(selection).length > 0)
    return (
      <EmptyState
        title={search.refundable ? 'No refundable payments' : 'No matching payments'}
        text="Change the search or the filters."
        action={<Button onClick={() => onGo({})}>Clear search and filters</Button>}
      />
    )
  return (
    <EmptyState
      title="No payments yet"
      text="Payments appear here when customers start a top-up or an upgrade."
    />
  )
}
