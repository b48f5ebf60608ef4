import type { LiveCallView } from '@trunkline/contract/live-calls'
import { type ReactNode, useEffect, useState } from 'react'
import { countOn, type Shown } from '../../app/live-calls.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { formatDuration } from '../format/durations.ts'
import { formatRunningCost } from '../format/money.ts'
import { otherSide } from './call-look.ts'
import { useSecond } from './use-second.ts'

type HangUpDialogProps = {
  /** Undefined after the call has ended. */
  call: Shown<LiveCallView> | undefined
  keep: string
  /** Names the customer, for administrators. */
  whose?: string
  hangUp: () => Promise<void>
  onClose: () => void
  children?: ReactNode
}

export function HangUpDialog({ call, keep, whose = '', hangUp, onClose, children }: HangUpDialogProps) {
  const now = useSecond()
  const [isBusy, setBusy] = useState(false)
  const isOver = call === undefined

  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])

  if (!call) return null
  const { seconds, cost } = countOn(call, now)

  async function end() {
    setBusy(true)
    await hangUp()
    onClose()
  }

  return (
    <ConfirmDialog
      title="Hang up this call?"
      description={`This ends the call ${whose}${call.direction === 'in' ? 'from' : 'to'} ${otherSide(call)}${call.direction === 'in' ? '' : ` (${call.country})`} for both sides.`}
      keep={keep}
      action="Hang up"
      isBusy={isBusy}
      onConfirm={() => void end()}
      onClose={onClose}
    >
      <dl className="flex gap-10">
        <Figure name="Duration" value={formatDuration(seconds)} />
        <Figure name="Cost so far" value={formatRunningCost(cost)} />
      </dl>
      {children}
    </ConfirmDialog>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-muted text-sm">{name}</dt>
    <dd className="figures font-semibold text-2xl tracking-tight">{value}</dd>
  </div>
)
