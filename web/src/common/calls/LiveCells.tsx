import type { LiveCallView } from '@trunkline/contract/live-calls'
import { PhoneOff } from 'lucide-react'
import { countOn, type Shown } from '../../app/live-calls.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Td } from '../../ui/Table.tsx'
import { asClock } from '../durations.ts'
import { lookOf, runningDollars } from './call-look.ts'
import { useSecond } from './use-second.ts'

/** What the tables of live calls have in common, the customer's and the operator's. */

export const LIVE_TABLE_HEIGHT = 300
/** As high as the list may grow, so that nothing below it moves when calls come and go. */
export const liveRoom = 'min-h-48 sm:min-h-75'
/** Nobody reads further down a list that moves; the count tells of the rest. */
export const MOST_LIVE_ROWS = 200

export const RowsOf = ({ count }: { count: number }) =>
  count > MOST_LIVE_ROWS && (
    <p className="figures text-muted text-sm">
      the newest {MOST_LIVE_ROWS} of {count.toLocaleString('en-US')}
    </p>
  )

export function CallState({ call }: { call: LiveCallView }) {
  const { word, lit, pulse } = lookOf(call)
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <Lamp lit={lit} pulse={pulse} label="" />
      {word}
    </span>
  )
}

/**
 * Time and cost, counted on in the browser between what the server says; only these two cells are drawn anew every
 * second. A phone has the cost below the time.
 */
export function RunningCells({ call }: { call: Shown<LiveCallView> }) {
  const { seconds, cost } = countOn(call, useSecond())
  const isTalking = call.state === 'answered'
  return (
    <>
      <Td numeric className="px-2!">
        {isTalking ? asClock(seconds) : '–'}
        {isTalking && <span className="block text-muted text-xs sm:hidden">{runningDollars(cost)}</span>}
      </Td>
      <Td numeric className="px-2! max-sm:hidden">
        {isTalking ? runningDollars(cost) : '–'}
      </Td>
    </>
  )
}

export function HangUpButton({
  call,
  onAsk,
  onHangUp,
}: {
  call: LiveCallView
  onAsk: () => void
  onHangUp: () => void
}) {
  const label = `Hang up ${call.ndiscado}`
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={call.hangup_requested}
      // Who only rings loses nothing; who talks is asked first.
      onClick={call.state === 'answered' ? onAsk : onHangUp}
      className="inline-grid size-8 place-items-center rounded-md text-danger hover:bg-danger-soft disabled:opacity-40"
    >
      <PhoneOff aria-hidden className="size-4" />
    </button>
  )
}

export const WaitingForCalls = () => (
  <div aria-busy="true" className={`flex flex-col gap-4 pt-1 ${liveRoom}`}>
    <p role="status" className="sr-only">
      Loading...
    </p>
    {[0, 1, 2, 3].map((row) => (
      <Skeleton key={row} className="h-8 w-full" />
    ))}
  </div>
)
