import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'

type FiltersInUseProps<Filters> = {
  /** The text of each filter, and the filters without it. */
  filters: readonly { text: string; without: Filters }[]
  onSelect: (filters: Filters) => void
  className?: string
  /** Shown after the last filter. */
  children?: ReactNode
}

/** Active filters, each with a button that removes it. */
export const FiltersInUse = <Filters,>({
  filters,
  onSelect,
  className,
  children,
}: FiltersInUseProps<Filters>) =>
  filters.length > 0 && (
    <ul aria-label="Active filters" className={cx('flex flex-wrap gap-2', className)}>
      {filters.map(({ text, without }) => (
        <li key={text}>
          <button
            type="button"
            aria-label={`Remove ${text}`}
            onClick={() => onSelect(without)}
            className="figures flex h-8 items-center gap-1.5 rounded-md border bg-sunken pr-2 pl-2.5 text-sm hover:border-edge"
          >
            {text}
            <X aria-hidden className="size-3.5 text-muted" />
          </button>
        </li>
      ))}
      {children && <li>{children}</li>}
    </ul>
  )
