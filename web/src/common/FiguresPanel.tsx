import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Skeleton } from '../ui/Skeleton.tsx'

const sizes = {
  lg: { panel: 'mb-4', list: '', cell: 'py-3.5', figure: 'mt-1 h-8 text-2xl' },
  /** Like `lg`; except on phones one line of text. */
  line: {
    panel: 'mb-4 sm:mb-2 sm:border-0 sm:bg-transparent sm:shadow-none',
    list: 'sm:flex sm:flex-wrap sm:gap-x-6 sm:gap-y-1 sm:rounded-none sm:bg-transparent',
    cell: 'py-3.5 sm:flex sm:items-baseline sm:gap-1.5 sm:bg-transparent sm:p-0!',
    figure: 'mt-1 h-8 text-2xl sm:mt-0 sm:h-5 sm:text-sm',
  },
}

type FiguresPanelProps = {
  query: Pick<UseQueryResult, 'data' | 'isError' | 'isPending' | 'isPlaceholderData' | 'refetch'>
  figures: readonly [name: string, figure: string][]
  size: keyof typeof sizes
  /** Column classes for wide screens. */
  className: string
  /** Notes below the figures. */
  children: ReactNode
}

/** Totals of the whole selection, not only of the page. */
export function FiguresPanel({ query, figures, size, className, children }: FiguresPanelProps) {
  const { data, isError, isPending, isPlaceholderData, refetch } = query
  const look = sizes[size]
  return (
    <section
      aria-label="Totals"
      aria-busy={isPending || isPlaceholderData}
      className={cx('card p-0 transition-opacity', look.panel, isPlaceholderData && 'opacity-50')}
    >
      <dl className={cx('grid grid-cols-2 gap-px overflow-hidden rounded-xl bg-line', look.list, className)}>
        {figures.map(([name, figure]) => (
          <div key={name} className={cx('min-w-0 bg-surface px-4 sm:px-5', look.cell)}>
            <dt className="engraved text-muted">{name}</dt>
            <dd
              className={cx('figures flex items-center truncate font-semibold tracking-tight', look.figure)}
            >
              {isPending ? <Skeleton className="h-5 w-20" /> : figure}
            </dd>
          </div>
        ))}
      </dl>
      {isError && data === undefined && (
        <div role="alert" className="flex flex-wrap items-center gap-3 border-t px-4 py-2.5 text-sm sm:px-5">
          The totals could not be loaded.
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {children}
    </section>
  )
}

export const FiguresNote = ({ children }: { children: ReactNode }) => (
  <p className="border-t px-4 py-2.5 text-muted text-sm sm:px-5">{children}</p>
)
