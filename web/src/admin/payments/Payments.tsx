import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { CashView } from './CashView.tsx'
import { PaymentDrawer } from './PaymentDrawer.tsx'
import { PaymentList } from './PaymentList.tsx'
import { openReviewsQuery } from './queries.ts'
import { RefundDialog } from './RefundDialog.tsx'
import { ReviewList } from './reviews/ReviewList.tsx'
import { type PaymentsSearch, readSearch } from './search.ts'

export function Payments() {
  const search = readSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { data: open } = useQuery(openReviewsQuery)
  const go = (next: PaymentsSearch, replace = false) =>
    void navigate({ to: '/admin-panal/payments', search: next, replace, resetScroll: false })
  const { payment, refund, ...list } = search

  return (
    <>
      <Tabs
        value={search.view ?? 'payments'}
        onValueChange={(view) => go(view === 'reviews' || view === 'cash' ? { view } : {})}
      >
        <div className="flex flex-wrap items-center gap-x-6 border-b">
          <h1 className="font-semibold text-2xl tracking-tight">All Payments</h1>
          <TabList aria-label="Payments" className="-mb-px border-b-0">
            <Tab value="payments">Payments</Tab>
            <Tab value="reviews">
              For review
              {open !== undefined && open > 0 && (
                <span className="figures ml-2 inline-grid h-5 min-w-5 place-items-center rounded-sm border border-pending/40 bg-pending-soft px-1 text-pending text-xs">
                  {open}
                  <span className="sr-only"> waiting</span>
                </span>
              )}
            </Tab>
            <Tab value="cash">Cash</Tab>
          </TabList>
        </div>
        <TabPanel value="payments">
          <PaymentList search={list} onGo={go} />
        </TabPanel>
        <TabPanel value="reviews">
          <ReviewList search={list} onGo={go} />
        </TabPanel>
        <TabPanel value="cash">
          <CashView />
        </TabPanel>
      </Tabs>
      <PaymentDrawer
        id={refund === undefined ? payment : undefined}
        onRefund={(id) => go({ ...search, refund: id })}
        onClose={() => go(list, true)}
      />
      {refund !== undefined && (
        <RefundDialog
          key={refund}
          id={refund}
          onDone={() => go({ ...list, ...(payment !== undefined && { payment }) }, true)}
        />
      )}
    </>
  )
}
