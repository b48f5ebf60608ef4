import { cx } from './cx.ts'

/** Holds the place of what is loading. The region around it says so (`aria-busy`); this is only a shape. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx('h-4 animate-wait rounded-sm bg-ink/10', className)} />
}

const nameWidths = ['w-24', 'w-36', 'w-28']

/** Names and values that are on their way, one to a row. */
export function SkeletonRows({ rows, className = 'h-11' }: { rows: number; className?: string }) {
  return (
    <div aria-hidden className="divide-y">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className={cx('flex items-center justify-between gap-6', className)}>
          <Skeleton className={nameWidths[row % nameWidths.length]} />
          <Skeleton className="w-20" />
        </div>
      ))}
    </div>
  )
}
