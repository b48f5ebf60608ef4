import type { LiveCallView } from '@trunkline/contract/live-calls'
import { type ReactNode, useEffect, useState } from 'react'
import { countOn, type Shown } from '../../app/live-calls.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
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
    <Dialog
      open
      onOpenChange={onClose}
      title="Hang up this call?"
      description={`This ends the call ${whose}${call.direction === 'in' ? 'from' : 'to'} ${otherSide(call)}${call.direction === 'in' ? '' : ` (${call.country})`} for both sides.`}
      maxWidth={440}
      isBusy={isBusy}
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {keep}
          </Button>
          <Button variant="danger" busy={isBusy} onClick={() => void end()}>
            Hang up
          </Button>
        </>
      }
    >
      <dl className="flex gap-10">
        <Figure name="Duration" value={formatDuration(seconds)} />
        <Figure name="Cost so far" value={formatRunningCost(cost)} />
      </dl>
      {children}
    </Dialog>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-muted text-sm">{name}</dt>
    <dd className="figures font-semibold text-2xl tracking-tight">{value}</dd>
  </div>
)
