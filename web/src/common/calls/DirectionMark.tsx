import type { CdrRecord } from '@trunkline/contract/cdr'
import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import { directions } from './directions.ts'

type DirectionMarkProps = {
  direction: CdrRecord['direction']
  isMissed?: boolean
  className?: string
}

/** In or Out, as an icon with its word. */
export function DirectionMark({ direction, isMissed = false, className }: DirectionMarkProps) {
  const Icon = isMissed ? PhoneMissed : direction === 'in' ? PhoneIncoming : PhoneOutgoing
  const { name, short } = directions[direction]
  return (
    <span
      title={isMissed ? 'Missed call' : `${name} call`}
      className={cx(
        'inline-flex w-11 shrink-0 items-center gap-1 font-medium text-xs',
        isMissed ? 'text-danger' : direction === 'in' ? 'text-signal-ink' : 'text-muted',
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      {short}
    </span>
  )
}
