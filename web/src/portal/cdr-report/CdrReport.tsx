import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { api } from '../../app/api.ts'
import { ownLiveCalls } from '../../app/live-calls.ts'
import { CallReport } from '../../common/calls/report/CallReport.tsx'
import type { CallColumn } from '../../common/calls/report/call-columns.tsx'
import { type CdrSearch, readSearch } from '../../common/calls/report/search.ts'
import type { CallSource } from '../../common/calls/report/source.ts'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { buttonClass, inRowClass } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CallBack } from '../phone/CallBack.tsx'
import { CallViews } from './CallViews.tsx'

const ownCalls: CallSource = {
  name: 'own',
  live: ownLiveCalls,
  csv: 'GET /api/cdr.csv',
  page: (query, signal) => api('GET /api/cdr', { query, signal }),
  totals: async (query, signal) => (await api('GET /api/cdr/totals', { query, signal })).totals,
  flow: async (id, signal) => (await api('GET /api/cdr/:id/flow', { params: { id }, signal })).flow,
  details: async (id, timezone, signal) =>
    (await api('GET /api/cdr/:id', { params: { id }, query: { timezone }, signal })).record,
  recordings: {
    ofCall: async (id, signal) => (await api('GET /api/cdr/:id/sounds', { params: { id }, signal })).sounds,
    peaks: async (id, signal) =>
      (await api('GET /api/recordings/:id/peaks', { params: { id }, signal })).peaks,
    audio: 'GET /api/recordings/:id/audio',
    remove: (id) => api('DELETE /api/recordings/:id', { params: { id } }),
    hasMailbox: true,
  },
}

/** Shown with missed calls. */
const callBack: CallColumn<CdrRecord> = {
  name: 'Call back',
  className: 'text-right max-md:order-6 max-md:col-span-2 max-md:p-0 max-md:pt-1 max-md:text-left',
  // Above the link that covers the row.
  cell: ({ caller }) => <CallBack caller={caller} className={cx('relative z-10', inRowClass)} />,
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
        caption={search.missed ? 'Your missed calls, newest first' : 'Your calls, newest first'}
        views={<CallViews search={search} />}
        extra={search.missed && callBack}
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
