import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const tones = {
  neutral: 'border-line bg-sunken text-muted',
  signal: 'border-signal-edge/50 bg-signal-soft text-signal-ink',
  pending: 'border-pending/40 bg-pending-soft text-pending',
  danger: 'border-danger/40 bg-danger-soft text-danger',
  success: 'border-success/40 bg-success-soft text-success',
}

export type BadgeTone = keyof typeof tones

export function Badge({
  tone = 'neutral',
  children,
  className,
}: {
  tone?: BadgeTone
  children: ReactNode
  className?: string
}) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-sm border px-1.5 py-px font-medium text-xs figures',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
