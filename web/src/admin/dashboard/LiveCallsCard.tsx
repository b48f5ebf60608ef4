import type { AdminLiveCallView } from '@trunkline/contract/live-calls'
import { memo } from 'react'
import type { Shown } from '../../app/live-calls.ts'
import { formatCaller } from '../../common/calls/call-look.ts'
import { DirectionMark } from '../../common/calls/DirectionMark.tsx'
import { withPlus } from '../../common/calls/directions.ts'
import { LiveCallList, RowsOf } from '../../common/calls/LiveCallList.tsx'
import {
  HangUpCell,
  HangUpHead,
  LiveTd,
  LiveTh,
  RunningCells,
  RunningHeads,
  StateCell,
} from '../../common/calls/LiveCells.tsx'
import { formatNumber } from '../../common/format/numbers.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { PanelCard } from '../../common/PanelCard.tsx'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Tr } from '../../ui/Table.tsx'
import { hangUp } from '../live/hang-up.ts'
import { useLiveCalls } from '../live/use-live-calls.ts'
import { useOverlay } from '../overlay.ts'
import { UserLink } from '../users/UserLink.tsx'

const streamWords = {
  loading: 'connecting',
  live: 'real time',
  polling: 'every 5 seconds',
  away: 'unavailable',
}

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
            <Badge tone={count > 0 ? 'signal' : 'neutral'}>{formatNumber(count)} live</Badge>
          )}
        </div>
      }
    >
      <LiveCallList
        label="Live calls of all customers"
        status={status}
        calls={calls}
        empty={
          status === 'away'
            ? {
                title: 'Live calls are unavailable',
                text: 'Reconnecting automatically. Calls are not affected.',
              }
            : {
                title: 'No active calls',
                text: 'Calls of all customers appear here as soon as they start.',
              }
        }
        heads={
          <>
            <LiveTh wide>User</LiveTh>
            <LiveTh>Number</LiveTh>
            <LiveTh wide>Country</LiveTh>
            <RunningHeads />
            <LiveTh wide>Trunk</LiveTh>
            <HangUpHead />
          </>
        }
        row={CallRow}
      />
    </PanelCard>
  )
}

/** On a phone, user and trunk are below the number. */
const CallRow = memo(function CallRow({ call }: { call: Shown<AdminLiveCallView> }) {
  const show = useOverlay()
  const { user, trunk } = call
  return (
    <Tr>
      <LiveTd wide className="max-w-36 truncate">
        <CallerLink user={user} />
      </LiveTd>
      <LiveTd>
        <span className="figures flex items-center whitespace-nowrap font-medium">
          <DirectionMark direction={call.direction} />
          <span
            title={
              call.direction === 'in' ? `To ${formatPhoneNumber(withPlus(call.destination))}` : undefined
            }
          >
            {call.direction === 'in' ? (
              formatCaller(call.caller)
            ) : (
              <PhoneNumber of={call.ndiscado} e164={call.destination} />
            )}
          </span>
        </span>
        <span className="block text-muted text-xs sm:hidden">
          {call.country} · <CallerLink user={user} />
          {trunk && ` · ${trunk.name}`}
        </span>
      </LiveTd>
      <LiveTd wide>{call.country}</LiveTd>
      <StateCell call={call} />
      <RunningCells call={call} />
      <LiveTd wide className="max-w-36 truncate text-muted">
        {trunk?.name ?? '–'}
      </LiveTd>
      <HangUpCell
        call={call}
        onAsk={() => show({ hangUp: call.uniqueid })}
        onHangUp={() => void hangUp(call.uniqueid)}
      />
    </Tr>
  )
})

const CallerLink = ({ user }: { user: AdminLiveCallView['user'] }) => (
  <UserLink
    user={user}
    preload={false}
    className="underline decoration-line underline-offset-4 hover:decoration-current"
  />
)
