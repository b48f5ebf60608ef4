import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

/** Parts of a row that is one line on wide screens and opens to its details. */
export const Arrow = ({ isOpen, className }: { isOpen: boolean; className: string }) => (
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
