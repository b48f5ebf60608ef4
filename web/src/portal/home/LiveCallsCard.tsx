import type { LiveCallView } from '@trunkline/contract/live-calls'
import { PhoneOff } from 'lucide-react'
import { memo } from 'react'
import { countOn, type Shown } from '../../app/live-calls.ts'
import { lookOf, runningDollars, shortId } from '../../common/calls/call-look.ts'
import { useSecond } from '../../common/calls/use-second.ts'
import { asClock } from '../../common/durations.ts'
import { PanelCard } from '../../common/PanelCard.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { hangUp } from '../live/hang-up.ts'
import { useLiveCalls } from '../live/use-live-calls.ts'
import { useOverlay } from '../overlay.ts'

const MAX_HEIGHT = 300
/** As high as the list may grow, so that nothing below it moves when calls come and go. */
const room = 'min-h-48 sm:min-h-75'
/** Nobody reads further down a list that moves; the count tells of the rest. */
const MOST_ROWS = 200

export function LiveCallsCard() {
  const status = useLiveCalls((state) => state.status)
  const count = useLiveCalls(({ liveCalls }) => liveCalls)
  const calls = useLiveCalls((state) => state.calls)
  return (
    <PanelCard
      title="Live Calls"
      step={3}
      action={
        count > MOST_ROWS && (
          <p className="figures text-muted text-sm">
            the newest {MOST_ROWS} of {count.toLocaleString('en-US')}
          </p>
        )
      }
    >
      {status === 'loading' ? (
        <Waiting />
      ) : calls.length === 0 ? (
        <div className={`grid place-items-center ${room}`}>
          <EmptyState title="No active calls" text="A call appears here the moment it is placed." />
        </div>
      ) : (
        <div className={`-mx-2 ${room}`}>
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
    <Table label="Live call details" maxHeight={MAX_HEIGHT}>
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
        {calls.slice(0, MOST_ROWS).map((call) => (
          <CallRow key={call.uniqueid} call={call} />
        ))}
      </TBody>
    </Table>
  )
}

const CallRow = memo(function CallRow({ call }: { call: Shown<LiveCallView> }) {
  const { word, lit, pulse } = lookOf(call)
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
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <Lamp lit={lit} pulse={pulse} label="" />
          {word}
        </span>
      </Td>
      <RunningCells call={call} />
      <Td className={`${narrow} text-right`}>
        <HangUpButton call={call} />
      </Td>
    </Tr>
  )
})

/** Counted on in the browser between what the server says; only these two cells are drawn anew every second. */
function RunningCells({ call }: { call: Shown<LiveCallView> }) {
  const { seconds, cost } = countOn(call, useSecond())
  const isTalking = call.state === 'answered'
  return (
    <>
      <Td numeric className={narrow}>
        {isTalking ? asClock(seconds) : '–'}
        {isTalking && <span className="block text-muted text-xs sm:hidden">{runningDollars(cost)}</span>}
      </Td>
      <Td numeric className={`${narrow} ${wide}`}>
        {isTalking ? runningDollars(cost) : '–'}
      </Td>
    </>
  )
}

function HangUpButton({ call }: { call: Shown<LiveCallView> }) {
  const show = useOverlay()
  const label = `Hang up ${call.ndiscado}`
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={call.hangup_requested}
      // Who only rings loses nothing; who talks is asked first.
      onClick={() =>
        call.state === 'answered' ? show({ hangUp: call.uniqueid }) : void hangUp(call.uniqueid)
      }
      className="inline-grid size-8 place-items-center rounded-md text-danger hover:bg-danger-soft disabled:opacity-40"
    >
      <PhoneOff aria-hidden className="size-4" />
    </button>
  )
}

const Waiting = () => (
  <div aria-busy="true" className={`flex flex-col gap-4 pt-1 ${room}`}>
    <p role="status" className="sr-only">
      Loading...
    </p>
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} className="h-8 w-full" />
    ))}
  </div>
)
