import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { AdminCdrRecord } from '@trunkline/contract/cdr'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { allLiveCalls } from '../../app/live-calls.ts'
import { CallReport } from '../../common/calls/report/CallReport.tsx'
import { type CdrSearch, selectionOf } from '../../common/calls/report/search.ts'
import type { CallSource } from '../../common/calls/report/source.ts'
import { Part } from '../../common/Details.tsx'
import { TextWithPhoneNumbers } from '../../common/PhoneNumber.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { userQuery } from '../users/queries.ts'
import { CallLinks } from './CallLinks.tsx'
import { CarriersTried } from './CarriersTried.tsx'
import { ColumnMenu } from './ColumnMenu.tsx'
import { recallColumns, rememberColumns } from './column-choice.ts'
import { describeOperatorFilters, operatorRules } from './filters.ts'
import { SipMessages } from './ladder/SipMessages.tsx'
import { OperatorFields } from './OperatorFields.tsx'
import { operatorColumns } from './operator-columns.tsx'
import { carriersQuery, routeNamesQuery } from './queries.ts'
import { readAdminSearch } from './search.ts'

const everybodysCalls: CallSource<AdminCdrRecord> = {
  name: 'everybody',
  live: allLiveCalls,
  csv: 'GET /api/admin/cdr.csv',
  page: (query, signal) => api('GET /api/admin/cdr', { query, signal }),
  totals: async (query, signal) => (await api('GET /api/admin/cdr/totals', { query, signal })).totals,
  flow: async (id, signal) => (await api('GET /api/admin/cdr/:id/flow', { params: { id }, signal })).flow,
  details: async (id, timezone, signal) =>
    (await api('GET /api/admin/cdr/:id', { params: { id }, query: { timezone }, signal })).record,
  recordings: {
    ofCall: async (id, signal) =>
      (await api('GET /api/admin/cdr/:id/sounds', { params: { id }, signal })).sounds,
    peaks: async (id, signal) =>
      (await api('GET /api/admin/recordings/:id/peaks', { params: { id }, signal })).peaks,
    audio: 'GET /api/admin/recordings/:id/audio',
    remove: null,
    hasMailbox: false,
  },
}

export function Calls() {
  const search = readAdminSearch(useSearch({ from: '/admin-gate/admin-panal/calls' }))
  const navigate = useNavigate({ from: '/admin-panal/calls' })
  const go = (next: CdrSearch, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const { user, ...others } = selectionOf(search)
  const names = useNames(search)
  const [choice, setChoice] = useState(recallColumns)

  return (
    <CallReport
      source={everybodysCalls}
      search={search}
      onGo={go}
      path="/admin-panal/calls"
      caption="Calls of all customers, newest first"
      never={<EmptyState title="No calls yet" text="Calls appear here as soon as they end." />}
      operator={{
        toolbar: {
          heading: <Heading search={search} />,
          rules: operatorRules,
          fields: (form) => <OperatorFields form={form} />,
          chips: [...missedChip(selectionOf(search)), ...describeOperatorFilters(selectionOf(search), names)],
          afterChips: user !== undefined && <ViewUser id={user} />,
          columnMenu: (
            <ColumnMenu
              choice={choice}
              onChoose={(next) => {
                rememberColumns(next)
                setChoice(next)
              }}
            />
          ),
        },
        columns: operatorColumns(choice, others),
        linksOf: (record) => 'user' in record && <CallLinks record={record} />,
        partsOf: (record) =>
          'user' in record && (
            <>
              <Rule explanation={record.explanation} />
              <CarriersTried {...record} />
              <SipMessages record={record} />
            </>
          ),
      }}
    />
  )
}

/** Which rule of the number decided about an incoming call, or where a forwarded call comes from. */
const Rule = ({ explanation }: { explanation: string }) =>
  explanation !== '' && (
    <Part title="Rule">
      <p className="break-words text-sm">
        <TextWithPhoneNumbers text={explanation} />
      </p>
    </Part>
  )

const missedChip = ({ missed, ...without }: CdrSearch) => (missed ? [{ text: 'Missed calls', without }] : [])

const Heading = ({ search }: { search: CdrSearch }) => (
  <div className="col-span-2 mb-4 w-full lg:mr-2 lg:mb-0 lg:flex lg:w-auto lg:items-center lg:gap-3 short:mb-0 short:flex short:items-baseline short:gap-3">
    <h1 className="font-semibold text-2xl tracking-tight">Calls</h1>
    <p className="mt-1 text-muted lg:hidden short:hidden">
      Call records of all customers, with margin per call.
    </p>
    {!search.missed && (
      <Link
        to="/admin-panal/calls"
        search={{ ...selectionOf(search), missed: true }}
        preload={false}
        className="rounded-sm text-sm underline decoration-line underline-offset-4 hover:decoration-current"
      >
        Missed calls
      </Link>
    )}
  </div>
)

const ViewUser = ({ id }: { id: number }) => (
  <Link
    to="/admin-panal/users/$id"
    params={{ id: String(id) }}
    className="flex h-8 items-center text-signal-ink text-sm underline underline-offset-4"
  >
    View user
  </Link>
)

/** The names of the user, carrier and route that are filtered by. */
function useNames({ user, trunk, route }: CdrSearch) {
  const account = useQuery({ ...userQuery(user ?? 0), enabled: user !== undefined, refetchInterval: false })
  const carriers = useQuery({ ...carriersQuery, enabled: trunk !== undefined })
  const routes = useQuery({ ...routeNamesQuery, enabled: route !== undefined })
  return {
    user: user === undefined ? undefined : account.data?.user.username,
    trunk: carriers.data?.get(trunk ?? 0),
    route: routes.data?.get(route ?? 0),
  }
}
