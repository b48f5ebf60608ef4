import type { LiveCallView } from '@trunkline/contract/live-calls'
import { accountLabel } from '@trunkline/contract/phone-names'
import { callLabel } from '@trunkline/contract/switch-names'
import { memo } from 'react'
import type { Shown } from '../../app/live-calls.ts'
import { formatCaller, shortId } from '../../common/calls/call-look.ts'
import { DirectionMark } from '../../common/calls/DirectionMark.tsx'
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
import { PanelCard } from '../../common/PanelCard.tsx'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Tr } from '../../ui/Table.tsx'
import { hangUp, useLiveCalls } from '../live/live-calls.ts'
import { useOverlay } from '../overlay.ts'

export function LiveCallsCard() {
  const status = useLiveCalls((state) => state.status)
  const count = useLiveCalls(({ liveCalls }) => liveCalls)
  const calls = useLiveCalls((state) => state.calls)
  return (
    <PanelCard title="Live Calls" step={3} action={<RowsOf count={count} />}>
      <LiveCallList
        label="Live call details"
        status={status}
        calls={calls}
        empty={{ title: 'No active calls', text: 'Calls appear here as soon as they start.' }}
        heads={
          <>
            <LiveTh wide>Unique ID</LiveTh>
            <LiveTh wide>SIP Account</LiveTh>
            <LiveTh>Dialed Number</LiveTh>
            <RunningHeads />
            <HangUpHead />
          </>
        }
        row={CallRow}
      />
    </PanelCard>
  )
}

/** On a phone, id and account are below the number. */
const CallRow = memo(function CallRow({ call }: { call: Shown<LiveCallView> }) {
  const show = useOverlay()
  return (
    <Tr>
      <LiveTd wide className="font-mono text-muted text-xs" title={callLabel(call.uniqueid)}>
        {shortId(call.uniqueid)}
      </LiveTd>
      <LiveTd wide className="max-w-28 truncate" title={accountLabel(call.sip_account)}>
        {accountLabel(call.sip_account)}
      </LiveTd>
      <LiveTd>
        <span className="figures flex items-center gap-1.5 whitespace-nowrap font-medium">
          <DirectionMark direction={call.direction} className="w-auto" />
          <PhoneNumber of={call.ndiscado} e164={call.destination} />
        </span>
        <span className="block text-muted text-xs">
          {call.direction === 'in' ? callerOf(call) : call.country}
        </span>
        <span className="block font-mono text-muted text-xs sm:hidden">
          {shortId(call.uniqueid)} {accountLabel(call.sip_account)}
        </span>
      </LiveTd>
      <StateCell call={call} />
      <RunningCells call={call} />
      <HangUpCell
        call={call}
        onAsk={() => show({ hangUp: call.uniqueid })}
        onHangUp={() => void hangUp(call.uniqueid)}
      />
    </Tr>
  )
})

/** `from Jane Miller, +44 20 7946 0958`. */
const callerOf = ({ caller, caller_name }: LiveCallView): string =>
  `from ${[caller_name, formatCaller(caller)].filter(Boolean).join(', ')}`
