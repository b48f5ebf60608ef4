import type { LiveCallView } from '@trunkline/contract/live-calls'
import type { ComponentType, ReactNode } from 'react'
import type { LiveState, Shown } from '../../app/live-calls.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { Table, TBody, THead, Tr } from '../../ui/Table.tsx'
import { formatNumber } from '../format/numbers.ts'

const TABLE_HEIGHT = 300
/** Room for three calls. More calls move what is below, up to the height of the table. */
const room = 'min-h-40'
/** Limits the rows of a busy list. */
const MAX_ROWS = 200

type LiveCallListProps<Call extends LiveCallView> = {
  label: string
  status: LiveState<Call>['status']
  calls: readonly Shown<Call>[]
  empty: { title: string; text: string }
  heads: ReactNode
  row: ComponentType<{ call: Shown<Call> }>
}

export function LiveCallList<Call extends LiveCallView>({
  label,
  status,
  calls,
  empty,
  heads,
  row: Row,
}: LiveCallListProps<Call>) {
  if (status === 'loading') return <Waiting />
  if (calls.length === 0)
    return (
      <div className={`grid place-items-center ${room}`}>
        <EmptyState {...empty} />
      </div>
    )
  return (
    <div className={`-mx-2 ${room}`}>
      <Table label={label} maxHeight={TABLE_HEIGHT}>
        <THead className="sticky top-0 z-10 bg-surface">
          <Tr>{heads}</Tr>
        </THead>
        <TBody>
          {calls.slice(0, MAX_ROWS).map((call) => (
            <Row key={call.uniqueid} call={call} />
          ))}
        </TBody>
      </Table>
    </div>
  )
}

export const RowsOf = ({ count }: { count: number }) =>
  count > MAX_ROWS && (
    <p className="figures text-muted text-sm">
      Newest {MAX_ROWS} of {formatNumber(count)}
    </p>
  )

const Waiting = () => (
  <Loading className={`flex flex-col gap-4 pt-1 ${room}`}>
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} className="h-8 w-full" />
    ))}
  </Loading>
)
