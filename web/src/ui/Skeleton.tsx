import { cx } from './cx.ts'

/** Holds the place of what is loading. The region around it says so (`aria-busy`); this is only a shape. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx('h-4 animate-wait rounded-sm bg-ink/10', className)} />
}
