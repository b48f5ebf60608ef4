import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { ListCard } from '../../../common/ListCard.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { NumberTable, NumberTableSkeleton } from '../../numbers/NumberTable.tsx'
import { numbersQuery } from '../../numbers/queries.ts'

/** Numbers that the customer rents, or that are reserved for the customer. A number opens in the inventory. */
export function Numbers({ user }: { user: UserDetails }) {
  const numbers = useQuery(numbersQuery({ user: user.id }, undefined))
  return (
    <ListCard
      label="Numbers"
      query={numbers}
      failed="The numbers could not be loaded."
      waiting={<NumberTableSkeleton />}
    >
      {({ numbers: rows, next }) =>
        rows.length === 0 ? (
          <EmptyState
            title="No numbers"
            text={`Numbers of ${user.username} appear here.`}
            action={
              <Link
                to="/admin-panal/trunks/numbers"
                search={{ status: 'available' }}
                className={buttonClass({ size: 'sm' })}
              >
                Assign a number
              </Link>
            }
          />
        ) : (
          <>
            <NumberTable numbers={rows} isOld={numbers.isPlaceholderData} search={{ user: user.id }} />
            {next !== null && (
              <p className="border-t px-4 py-3">
                <Link
                  to="/admin-panal/trunks/numbers"
                  search={{ user: user.id }}
                  className="text-signal-ink text-sm underline underline-offset-4"
                >
                  Show all numbers
                </Link>
              </p>
            )}
          </>
        )
      }
    </ListCard>
  )
}
