import { ChevronDown } from 'lucide-react'
import { buttonClass } from './Button.tsx'
import { cx } from './cx.ts'

type FoldButtonProps = {
  /** Read after "Whole text". */
  of: string
  isOpen: boolean
  onToggle: () => void
  className?: string
}

/** Opens a row to its whole text. Covers a closed row, which is positioned; links and buttons need `aboveFoldClass`. */
export const FoldButton = ({ of, isOpen, onToggle, className }: FoldButtonProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    onClick={onToggle}
    className={cx(
      buttonClass({ variant: 'ghost', size: 'sm' }),
      'px-2 md:h-7 md:px-1.5',
      !isOpen && 'after:absolute after:inset-0 after:cursor-pointer',
      className,
    )}
  >
    <ChevronDown aria-hidden className={cx(isOpen && 'rotate-180')} />
    <span className="sr-only">Whole text, {of}</span>
  </button>
)

export const aboveFoldClass = 'relative z-1'
