import type { LiveCallView } from '@trunkline/contract/live-calls'
import { PhoneOff } from 'lucide-react'
import type { ComponentProps } from 'react'
import { countOn, type Shown } from '../../app/live-calls.ts'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { Td, Th } from '../../ui/Table.tsx'
import { formatDuration } from '../format/durations.ts'
import { formatRunningCost } from '../format/money.ts'
import { lookOf, otherSide } from './call-look.ts'
import { useSecond } from './use-second.ts'

/** Cells that the live call tables of customers and administrators share. */

type Cell<Of extends 'td' | 'th'> = ComponentProps<Of> & {
  numeric?: boolean
  /** Hidden on phones. */
  wide?: boolean
}

export const LiveTh = ({ wide = false, className, ...rest }: Cell<'th'>) => (
  <Th className={cx('px-2!', wide && 'max-sm:hidden', className)} {...rest} />
)

export const LiveTd = ({ wide = false, className, ...rest }: Cell<'td'>) => (
  <Td className={cx('px-2!', wide && 'max-sm:hidden', className)} {...rest} />
)

export const RunningHeads = () => (
  <>
    <LiveTh>State</LiveTh>
    <LiveTh numeric>Time</LiveTh>
    <LiveTh numeric wide>
      Cost
    </LiveTh>
  </>
)

export function StateCell({ call }: { call: LiveCallView }) {
  const { word, lit, pulse } = lookOf(call)
  return (
    <LiveTd>
      <span className="flex items-center gap-1.5 whitespace-nowrap">
        <Lamp lit={lit} pulse={pulse} label="" />
        {word}
      </span>
    </LiveTd>
  )
}

/** Duration and cost, updated every second between server events. Only these cells rerender. */
export function RunningCells({ call }: { call: Shown<LiveCallView> }) {
  const { seconds, cost } = countOn(call, useSecond())
  const isTalking = call.state === 'answered'
  return (
    <>
      <LiveTd numeric>
        {isTalking ? formatDuration(seconds) : '–'}
        {isTalking && <span className="block text-muted text-xs sm:hidden">{formatRunningCost(cost)}</span>}
      </LiveTd>
      <LiveTd numeric wide>
        {isTalking ? formatRunningCost(cost) : '–'}
      </LiveTd>
    </>
  )
}

export const HangUpHead = () => (
  <LiveTh>
    <span className="sr-only">Hang up</span>
  </LiveTh>
)

type HangUpCellProps = { call: LiveCallView; onAsk: () => void; onHangUp: () => void }

export function HangUpCell({ call, onAsk, onHangUp }: HangUpCellProps) {
  const label = `Hang up ${otherSide(call)}`
  return (
    <LiveTd className="text-right">
      <button
        type="button"
        aria-label={label}
        title={label}
        disabled={call.hangup_requested}
        // Only answered calls ask for confirmation.
        onClick={call.state === 'answered' ? onAsk : onHangUp}
        className="inline-grid size-8 place-items-center rounded-md text-danger hover:bg-danger-soft disabled:opacity-40"
      >
        <PhoneOff aria-hidden className="size-4" />
      </button>
    </LiveTd>
  )
}
