import { Link } from '@tanstack/react-router'
import type { AdminLiveCallView } from '@trunkline/contract/live-calls'
import { memo } from 'react'
import type { Shown } from '../../app/live-calls.ts'
import {
  CallState,
  HangUpButton,
  LIVE_TABLE_HEIGHT,
  liveRoom,
  MOST_LIVE_ROWS,
  RowsOf,
  RunningCells,
  WaitingForCalls,
} from '../../common/calls/LiveCells.tsx'
import { PanelCard } from '../../common/PanelCard.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { hangUp } from '../live/hang-up.ts'
import { useLiveCalls } from '../live/use-live-calls.ts'
import { useOverlay } from '../overlay.ts'

const streamWords = {
  loading: 'joining',
  live: 'as it happens',
  polling: 'every 5 seconds',
  away: 'not known right now',
}

/** Everybody's calls of this moment. */
export function LiveCallsCard() {
  const status = useLiveCalls((state) => state.status)
  const count = useLiveCalls(({ liveCalls }) => liveCalls)
  const calls = useLiveCalls((state) => state.calls)
  return (
    <PanelCard
      title="Live Calls"
      step={3}
      action={
        <div className="flex items-center gap-3">
          <RowsOf count={count} />
          <span className="text-muted text-xs">{streamWords[status]}</span>
          {status !== 'loading' && status !== 'away' && (
            <Badge tone={count > 0 ? 'signal' : 'neutral'}>{count.toLocaleString('en-US')} live</Badge>
          )}
        </div>
      }
    >
      {status === 'loading' ? (
        <WaitingForCalls />
      ) : calls.length === 0 ? (
        <div className={`grid place-items-center ${liveRoom}`}>
          {status === 'away' ? (
            <EmptyState
              title="Live calls cannot be seen right now"
              text="The connection is tried again by itself. Calls go on meanwhile."
            />
          ) : (
            <EmptyState
              title="No active calls"
              text="Every customer’s call appears here the moment it is placed."
            />
          )}
        </div>
      ) : (
        <div className={`-mx-2 ${liveRoom}`}>
          <CallTable calls={calls} />
        </div>
      )}
    </PanelCard>
  )
}

/** A phone has no room for eight columns: there user and trunk stand below the number, the cost below the time. */
const wide = 'max-sm:hidden'
const narrow = 'px-2!'

function CallTable({ calls }: { calls: readonly Shown<AdminLiveCallView>[] }) {
  return (
    <Table label="Live calls of all customers" maxHeight={LIVE_TABLE_HEIGHT}>
      <THead className="sticky top-0 z-10 bg-surface">
        <Tr>
          <Th className={`${narrow} ${wide}`}>User</Th>
          <Th className={narrow}>Number</Th>
          <Th className={`${narrow} ${wide}`}>Country</Th>
          <Th className={narrow}>State</Th>
          <Th className={narrow} numeric>
            Time
          </Th>
          <Th className={`${narrow} ${wide}`} numeric>
            Cost
          </Th>
          <Th className={`${narrow} ${wide}`}>Trunk</Th>
          <Th className={narrow}>
            <span className="sr-only">Hang up</span>
          </Th>
        </Tr>
      </THead>
      <TBody>
        {calls.slice(0, MOST_LIVE_ROWS).map((call) => (
          <CallRow key={call.uniqueid} call={call} />
        ))}
      </TBody>
    </Table>
  )
}

const CallRow = memo(function CallRow({ call }: { call: Shown<AdminLiveCallView> }) {
  const show = useOverlay()
  const { user, trunk } = call
  return (
    <Tr>
      <Td className={`${narrow} ${wide} max-w-36 truncate`}>
        <UserLink user={user} />
      </Td>
      <Td className={narrow}>
        <span className="figures block whitespace-nowrap font-medium">{call.ndiscado}</span>
        <span className="block text-muted text-xs sm:hidden">
          {call.country} · <UserLink user={user} />
          {trunk && ` · ${trunk.name}`}
        </span>
      </Td>
      <Td className={`${narrow} ${wide}`}>{call.country}</Td>
      <Td className={narrow}>
        <CallState call={call} />
      </Td>
      <RunningCells call={call} />
      <Td className={`${narrow} ${wide} max-w-36 truncate text-muted`}>{trunk?.name ?? '–'}</Td>
      <Td className={`${narrow} text-right`}>
        <HangUpButton
          call={call}
          onAsk={() => show({ hangUp: call.uniqueid })}
          onHangUp={() => void hangUp(call.uniqueid)}
        />
      </Td>
    </Tr>
  )
})

const UserLink = ({ user: { id, username } }: { user: { id: number; username: string } }) => (
  <Link
    to="/admin-panal/users/$id"
    params={{ id: String(id) }}
    preload={false}
    className="underline decoration-line underline-offset-4 hover:decoration-current"
  >
    {username}
  </Link>
)
