import { useNavigate, useSearch } from '@tanstack/react-router'
import { allLiveCalls } from '../../app/live-calls.ts'
import { queryClient } from '../../app/query-client.ts'
import { useAfterCalls } from '../../common/calls/use-after-calls.ts'
import { BusinessCharts } from './charts/BusinessCharts.tsx'
import { LiveCallsCard } from './LiveCallsCard.tsx'
import { QuickActions } from './QuickActions.tsx'
import { BUSINESS_KEY } from './queries.ts'
import { RecentPayments } from './RecentPayments.tsx'
import { RoutesCard } from './routes/RoutesCard.tsx'
import { type DashboardSearch, daysIn, routeIn } from './search.ts'
import { Today } from './Today.tsx'

/** Minimum time between two refreshes of the figures; calls can end every second. */
const MIN_REFRESH_MS = 10_000

const readAgain = () => void queryClient.invalidateQueries({ queryKey: BUSINESS_KEY })

export function Dashboard() {
  const search = useSearch({ from: '/admin-gate/admin-panal/' })
  const navigate = useNavigate({ from: '/admin-panal/' })
  const go = (next: DashboardSearch, replace = false) =>
    void navigate({ to: '.', search: { ...search, ...next }, replace, resetScroll: false })
  useAfterCalls(allLiveCalls, MIN_REFRESH_MS, readAgain)

  return (
    <>
      <h1 className="sr-only">Dashboard</h1>
      <div className="grid grid-cols-1 gap-4 lg:gap-3">
        <Today />
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <RoutesCard
            open={routeIn(search)}
            onOpen={(route) => go({ route })}
            onClose={() => go({ route: undefined }, true)}
          />
          <div className="grid content-start gap-4 sm:max-lg:grid-cols-2">
            <QuickActions />
            <RecentPayments />
          </div>
        </div>
        <LiveCallsCard />
        <BusinessCharts days={daysIn(search)} onDays={(days) => go({ days }, true)} />
      </div>
    </>
  )
}
