import { SlidersHorizontal } from 'lucide-react'
import type { Ref } from 'react'
import { Button } from '../ui/Button.tsx'

type FilterButtonProps = {
  ref?: Ref<HTMLButtonElement>
  /** Number of filters in use. */
  count: number
  isOpen: boolean
  /** Id of the panel that the button opens. */
  panel: string
  onToggle: () => void
}

export const FilterButton = ({ ref, count, isOpen, panel, onToggle }: FilterButtonProps) => (
  <Button ref={ref} aria-expanded={isOpen} aria-controls={isOpen ? panel : undefined} onClick={onToggle}>
    <SlidersHorizontal aria-hidden />
    Filter
    {count > 0 && (
      <span className="figures grid h-5 min-w-5 place-items-center rounded-sm bg-signal px-1 text-on-signal text-xs">
        {count}
        <span className="sr-only"> active</span>
      </span>
    )}
  </Button>
)
