import { Link } from '@tanstack/react-router'
import type { AdminCdrDetails } from '@trunkline/contract/cdr'
import { buttonClass } from '../../ui/Button.tsx'
import { failuresOf } from './search.ts'

/** The next questions of an operator about a call. */
export const CallLinks = ({ record }: { record: AdminCdrDetails }) => (
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
