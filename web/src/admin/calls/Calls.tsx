import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { AdminCdrRecord } from '@trunkline/contract/cdr'
import { X } from 'lucide-react'
import { api } from '../../app/api.ts'
import { allLiveCalls } from '../../app/live-calls.ts'
import { CallReport } from '../../common/calls/report/CallReport.tsx'
import { marginInCents } from '../../common/calls/report/margin.ts'
import { type CdrSearch, readAdminSearch } from '../../common/calls/report/search.ts'
import type { CallSource } from '../../common/calls/report/source.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

const everybodysCalls: CallSource<AdminCdrRecord> = {
  name: 'everybody',
  live: allLiveCalls,
  csv: 'GET /api/admin/cdr.csv',
  page: (query, signal) => api('GET /api/admin/cdr', { query, signal }),
  totals: async (query, signal) => (await api('GET /api/admin/cdr/totals', { query, signal })).totals,
  details: async (id, timezone, signal) =>
    (await api('GET /api/admin/cdr/:id', { params: { id }, query: { timezone }, signal })).record,
}

export function Calls() {
  const search = readAdminSearch(useSearch({ from: '/admin-gate/admin-panal/calls' }))
  const navigate = useNavigate({ from: '/admin-panal/calls' })
  const go = (next: CdrSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const { user, cursor: _cursor, call: _call, ...others } = search

  return (
    <>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="font-semibold text-2xl tracking-tight">Calls</h1>
          <p className="mt-1 text-muted">Call records of all customers, with margin per call.</p>
        </div>
        {user !== undefined && (
          <div className="flex items-center gap-2">
            <Link
              to="/admin-panal/users/$id"
              params={{ id: String(user) }}
              className="text-signal-ink text-sm underline underline-offset-4"
            >
              View user
            </Link>
            <Button size="sm" onClick={() => go(others)}>
              Calls of 1 user
              <X aria-hidden />
              <span className="sr-only">show all users</span>
            </Button>
          </div>
        )}
      </div>
      <CallReport
        source={everybodysCalls}
        search={search}
        onGo={go}
        path="/admin-panal/calls"
        caption="Calls of all customers, newest first"
        userOf={(record) => <WhoseCall record={record} others={others} />}
        marginOf={marginInCents}
        never={<EmptyState title="No calls yet" text="Calls appear here as soon as they end." />}
      />
    </>
  )
}

function WhoseCall({ record: { user }, others }: { record: AdminCdrRecord; others: CdrSearch }) {
  if (!user) return <span className="text-muted">Unknown</span>
  return (
    <Link
      to="/admin-panal/calls"
      search={{ ...others, user: user.id }}
      preload={false}
      title={`Only calls of ${user.username}`}
      className="underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {user.username}
    </Link>
  )
}
