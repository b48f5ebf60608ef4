import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { ownLiveCalls } from '../../app/live-calls.ts'
import { CallReport } from '../../common/calls/report/CallReport.tsx'
import { type CdrSearch, readSearch } from '../../common/calls/report/search.ts'
import type { CallSource } from '../../common/calls/report/source.ts'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

const ownCalls: CallSource = {
  name: 'own',
  live: ownLiveCalls,
  csv: 'GET /api/cdr.csv',
  page: (query, signal) => api('GET /api/cdr', { query, signal }),
  totals: async (query, signal) => (await api('GET /api/cdr/totals', { query, signal })).totals,
  details: async (id, timezone, signal) =>
    (await api('GET /api/cdr/:id', { params: { id }, query: { timezone }, signal })).record,
}

export function CdrReport() {
  const search = readSearch(useSearch({ from: '/customer-gate/dashboard/cdr-report' }))
  const navigate = useNavigate({ from: '/dashboard/cdr-report' })
  const go = (next: CdrSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })

  return (
    <>
      <ScreenTitle title="CDR Reports" text="Call Detail Records and Analytics" />
      <CallReport
        source={ownCalls}
        search={search}
        onGo={go}
        path="/dashboard/cdr-report"
        caption="Your calls, newest first"
        never={
          <EmptyState
            title="No calls yet"
            text="Connect a phone and make a call. Calls appear here when they end."
            action={
              <Link to="/dashboard" className={buttonClass()}>
                How to connect a phone
              </Link>
            }
          />
        }
      />
    </>
  )
}
