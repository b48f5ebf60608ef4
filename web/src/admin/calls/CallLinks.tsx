import { Link } from '@tanstack/react-router'
import type { AdminCdrDetails } from '@trunkline/contract/cdr'
import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/Button.tsx'
import { UserLink } from '../users/UserLink.tsx'
import { failuresOf } from './search.ts'

/** Leads to the customer, carrier and route of a call, and to the next questions of an operator. */
export const CallLinks = ({ record }: { record: AdminCdrDetails }) => (
  <>
    <Participants record={record} />
    <NextQuestions record={record} />
  </>
)

const linkClass = 'break-words rounded-sm font-medium underline underline-offset-4'

function Participants({ record: { user, trunk, route, route_id } }: { record: AdminCdrDetails }) {
  if (user === null && trunk === null && route_id === null) return null
  return (
    <ul aria-label="Customer, carrier and route" className="mt-3 flex flex-wrap gap-x-6 gap-y-1.5 text-sm">
      {user && (
        <Participant kind="Customer">
          <UserLink user={user} className={linkClass} />
        </Participant>
      )}
      {trunk !== null && (
        <Participant kind="Carrier">
          <Link to="/admin-panal/trunks" search={{ carrier: trunk }} preload={false} className={linkClass}>
            {trunk}
          </Link>
        </Participant>
      )}
      {route !== null && route_id !== null && (
        <Participant kind="Route">
          <Link to="/admin-panal" search={{ route: route_id }} preload={false} className={linkClass}>
            {route}
          </Link>
        </Participant>
      )}
    </ul>
  )
}

const Participant = ({ kind, children }: { kind: string; children: ReactNode }) => (
  <li className="min-w-0">
    <span className="text-muted">{kind}</span> {children}
  </li>
)

const NextQuestions = ({ record }: { record: AdminCdrDetails }) => (
  <p className="mt-4 flex flex-wrap gap-2">
    {record.trunk_id !== null && (
      <Link
        to="/admin-panal/calls"
        search={failuresOf(record.trunk_id, record.started_at)}
        preload={false}
        className={buttonClass({ size: 'sm' })}
      >
        Other failures of this carrier in this hour
      </Link>
    )}
    {record.direction === 'in' ? (
      <Link
        to="/admin-panal/trunks/numbers"
        search={{ search: record.destination.replace('+', '') }}
        preload={false}
        className={buttonClass({ size: 'sm' })}
      >
        Show the called number
      </Link>
    ) : (
      <Link
        to="/admin-panal/trunks"
        search={{ view: 'order', number: record.destination }}
        preload={false}
        className={buttonClass({ size: 'sm' })}
      >
        Try this number now
      </Link>
    )}
  </p>
)
