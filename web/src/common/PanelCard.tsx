import { CARD_ANIMATION_STEP_MS } from '@trunkline/contract/limits'
import { type ReactNode, useId } from 'react'
import { cx } from '../ui/cx.ts'

type PanelCardProps = {
  title: string
  /** Position in the staggered animation. */
  step: number
  action?: ReactNode
  id?: string | undefined
  className?: string | undefined
  children: ReactNode
}

export function PanelCard({ title, step, action, id, className, children }: PanelCardProps) {
  const heading = useId()
  return (
    <section
      id={id}
      aria-labelledby={heading}
      className={cx('card flex min-w-0 animate-wake flex-col', className)}
      style={{ animationDelay: `${step * CARD_ANIMATION_STEP_MS}ms` }}
    >
      <header className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id={heading} className="min-w-0 font-medium text-muted">
          {title}
        </h2>
        {action}
      </header>
      {children}
    </section>
  )
}
