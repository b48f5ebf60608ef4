import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** A placeholder. The region around it has `aria-busy`. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={cx('h-4 animate-wait rounded-sm bg-ink/10', className)} />
}

/** Tells screen readers that something loads. */
export const LoadingNote = () => (
  <p className="sr-only" role="status">
    Loading...
  </p>
)

/** Skeletons in place of content that loads. */
export const Loading = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div aria-busy="true" className={className}>
    <LoadingNote />
    {children}
  </div>
)

const numbered = (count: number) => Array.from({ length: count }, (_, at) => at)

const nameWidths = ['w-24', 'w-36', 'w-28']

/** Placeholder rows of names and values. */
export function SkeletonRows({ rows, className = 'h-11' }: { rows: number; className?: string }) {
  return (
    <div aria-hidden className="divide-y">
      {numbered(rows).map((row) => (
        <div key={row} className={cx('flex items-center justify-between gap-6', className)}>
          <Skeleton className={nameWidths[row % nameWidths.length]} />
          <Skeleton className="w-20" />
        </div>
      ))}
    </div>
  )
}

type SkeletonListProps = {
  rows: number
  /** Height and layout of a row. */
  className: string
  /** Class of each part of a row. */
  parts: readonly string[]
}

/** Placeholder of a list. */
export function SkeletonList({ rows, className, parts }: SkeletonListProps) {
  return (
    <div className="divide-y">
      <LoadingNote />
      {numbered(rows).map((row) => (
        <div key={row} className={cx('flex', className)}>
          {numbered(parts.length).map((part) => (
            <Skeleton key={part} className={parts[part]} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Placeholder of a table. */
export const SkeletonTable = ({ className, ...rest }: SkeletonListProps) => (
  <>
    <div aria-hidden className="h-9 border-b max-md:hidden" />
    <SkeletonList className={cx('items-center gap-6 px-4', className)} {...rest} />
  </>
)
