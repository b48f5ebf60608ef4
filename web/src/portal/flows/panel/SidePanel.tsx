import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../ui/cx.ts'

/** The space that it covers at the right of the canvas, with its margins. */
export const PANEL_SPACE = 372

type SidePanelProps = {
  label: string
  title?: string
  /** On a phone: between other content. */
  isInline?: boolean
  onClose: () => void
  children: ReactNode
}

/** Floats over the canvas, or is part of the page. */
export const SidePanel = ({ label, title, isInline = false, onClose, children }: SidePanelProps) => (
  <section
    aria-label={label}
    className={cx(
      'flex animate-appear flex-col rounded-xl border bg-surface',
      isInline
        ? 'relative'
        : 'absolute inset-y-3 right-3 z-10 w-[21.5rem] max-w-[calc(100%-1.5rem)] shadow-far',
    )}
  >
    <button
      type="button"
      aria-label={`Close ${label.toLowerCase()}`}
      onClick={onClose}
      className="absolute top-3 right-3 z-10 grid size-8 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink"
    >
      <X aria-hidden className="size-4.5" />
    </button>
    {title && <h3 className="px-5 pt-4 pb-1 font-semibold text-lg tracking-tight">{title}</h3>}
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto rounded-xl focus-visible:-outline-offset-2"
    >
      {children}
    </div>
  </section>
)
