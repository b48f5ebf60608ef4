import { ArrowDown, ArrowUp } from 'lucide-react'
import { cx } from '../ui/cx.ts'
import type { Change } from './change.ts'

/** The change of a figure with an arrow. */
export function ChangeText({ change, isLowerBetter }: { change: Change | null; isLowerBetter: boolean }) {
  if (change === null) return '–'
  if (change.direction === 'same')
    return (
      <>
        <span aria-hidden>=</span>
        <span className="sr-only">no change</span>
      </>
    )
  const isGood = (change.direction === 'up') !== isLowerBetter
  const Arrow = change.direction === 'up' ? ArrowUp : ArrowDown
  return (
    <span className={cx('figures', isGood ? 'text-success' : 'text-danger')}>
      <Arrow aria-hidden className="mr-0.5 inline size-3" />
      <span className="sr-only">{change.direction} </span>
      {change.text}
    </span>
  )
}
