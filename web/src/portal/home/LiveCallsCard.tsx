import type { LiveCallView } from '@trunkline/contract/live-calls'
import { memo } from 'react'
import type { Shown } from '../../app/live-calls.ts'
import { shortId } from '../../common/calls/call-look.ts'
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
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { hangUp } from '../live/hang-up.ts'
import { useLiveCalls } from '../live/use-live-calls.ts'
import { useOverlay } from '../overlay.ts'

export function LiveCallsCard() {
  const status = useLiveCalls((state) => state.status)
  const count = useLiveCalls(({ liveCalls }) => liveCalls)
  const calls = useLiveCalls((state) => state.calls)
  return (
    <PanelCard title="Live Calls" step={3} action={<RowsOf count={count} />}>
      {status === 'loading' ? (
        <WaitingForCalls />
      ) : calls.length === 0 ? (
        <div className={`grid place-items-center ${liveRoom}`}>
          <EmptyState title="No active calls" text="A call appears here the moment it is placed." />
        </div>
      ) : (
        <div className={`-mx-2 ${liveRoom}`}>
          <CallTable calls={calls} />
        </div>
      )}
    </PanelCard>
  )
}

/** A phone has no room for seven columns: there id and account stand below the number, the cost below the time. */
const wide = 'max-sm:hidden'
const narrow = 'px-2!'

function CallTable({ calls }: { calls: readonly Shown<LiveCallView>[] }) {
  return (
    <Table label="Live call details" maxHeight={LIVE_TABLE_HEIGHT}>
      <THead className="sticky top-0 z-10 bg-surface">
        <Tr>
          <Th className={`${narrow} ${wide}`}>Unique ID</Th>
          <Th className={`${narrow} ${wide}`}>SIP Account</Th>
          <Th className={narrow}>Dialed Number</Th>
          <Th className={narrow}>State</Th>
          <Th className={narrow} numeric>
            Time
          </Th>
          <Th className={`${narrow} ${wide}`} numeric>
            Cost
          </Th>
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

const CallRow = memo(function CallRow({ call }: { call: Shown<LiveCallView> }) {
  const show = useOverlay()
  return (
    <Tr>
      <Td className={`${narrow} ${wide} font-mono text-muted text-xs`} title={call.uniqueid}>
        {shortId(call.uniqueid)}
      </Td>
      <Td className={`${narrow} ${wide} max-w-28 truncate`} title={call.sip_account}>
        {call.sip_account}
      </Td>
      <Td className={narrow}>
        <span className="figures block whitespace-nowrap font-medium">{call.ndiscado}</span>
        <span className="block text-muted text-xs">{call.country}</span>
        <span className="block font-mono text-muted text-xs sm:hidden">
          {shortId(call.uniqueid)} {call.sip_account}
        </span>
      </Td>
      <Td className={narrow}>
        <CallState call={call} />
      </Td>
      <RunningCells call={call} />
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
