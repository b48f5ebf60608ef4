import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonTable } from '../../ui/Skeleton.tsx'

type OpeningRowProps = {
  name: string
  /** The grid of a row on wide screens, shared with the heads. */
  columns: string
  /** The only one in the list, whose details are open at once. */
  isOnly: boolean
  before?: ReactNode
  after?: ReactNode
  cells: ReactNode
  actions: ReactNode
  details: ReactNode
}

/** One line; its name opens the details below. On a phone the line wraps. */
export function OpeningRow({
  name,
  columns,
  isOnly,
  before,
  after,
  cells,
  actions,
  details,
}: OpeningRowProps) {
  const heading = useId()
  const content = useId()
  const [toggled, setToggled] = useState<boolean | null>(null)
  const isOpen = toggled ?? isOnly
  return (
    <li aria-labelledby={heading} className={cx(isOpen && 'bg-ink/2')}>
      <div
        className={cx(
          'relative flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 text-sm hover:bg-ink/3 md:h-9 md:py-0',
          columns,
        )}
      >
        <span className="flex min-w-0 items-center gap-2 max-md:w-full">
          {before}
          <h2 id={heading} className="min-w-0 font-medium max-md:break-words md:truncate">
            {/* Covers the whole row. */}
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? content : undefined}
              onClick={() => setToggled(!isOpen)}
              title={name}
              className="text-left after:absolute after:inset-0"
            >
              {name}
            </button>
          </h2>
          {after}
          <Arrow isOpen={isOpen} className="ml-auto md:hidden" />
        </span>
        {cells}
        <span className="pointer-events-none relative flex items-center gap-1.5 max-md:w-full md:justify-end [&_button]:pointer-events-auto">
          {actions}
          <Arrow isOpen={isOpen} className="ml-1 max-md:hidden" />
        </span>
      </div>
      {isOpen && <div id={content}>{details}</div>}
    </li>
  )
}

const Arrow = ({ isOpen, className }: { isOpen: boolean; className: string }) => (
  <ChevronDown
    aria-hidden
    className={cx('pointer-events-none size-4 shrink-0 text-muted', isOpen && 'rotate-180', className)}
  />
)

type CellProps = { title?: string; className?: string; children: ReactNode }

export const Cell = ({ title, className, children }: CellProps) => (
  <span title={title} className={cx('min-w-0 md:truncate', className)}>
    {children}
  </span>
)

export const HeadRow = ({ columns, children }: { columns: string; children: ReactNode }) => (
  <div aria-hidden className={cx('engraved border-b py-2 text-muted max-md:hidden', columns)}>
    {children}
  </div>
)

export const LoadingRows = ({ rows, parts }: { rows: number; parts: readonly string[] }) => (
  <Card aria-busy="true" className="p-0">
    <SkeletonTable rows={rows} className="h-9 max-md:h-24" parts={parts} />
  </Card>
)
