import { CircleAlert, CircleCheck, Clock, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const tones = {
  danger: { icon: CircleAlert, look: 'border-danger/45 bg-danger-soft', sign: 'text-danger' },
  success: { icon: CircleCheck, look: 'border-success/45 bg-success-soft', sign: 'text-success' },
  pending: { icon: Clock, look: 'border-pending/45 bg-pending-soft', sign: 'text-pending' },
  info: { icon: Info, look: 'border-line bg-sunken', sign: 'text-muted' },
}

type NoticeTone = keyof typeof tones

/** A message inside the page. Only failures interrupt a screen reader. */
export function Notice({
  tone,
  children,
  className,
}: {
  tone: NoticeTone
  children: ReactNode
  className?: string | undefined
}) {
  const { icon: Icon, look, sign } = tones[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex gap-2.5 rounded-md border px-3 py-2.5 text-ink text-sm', look, className)}
    >
      <Icon aria-hidden className={cx('mt-px size-4 shrink-0', sign)} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
