import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import type { Pagination } from './use-pagination.ts'

type PagerProps<Cursor> = {
  label: string
  pagination: Pagination<Cursor>
  note?: string | undefined
  /** Labels of the buttons. */
  words?: readonly [first: string, back: string, on: string] | undefined
  onGo: (cursor: Cursor | undefined) => void
}

const inTime = ['Newest', 'Newer', 'Older'] as const
export const inOrder = ['First', 'Previous', 'Next'] as const

export function Pager<Cursor>({
  label,
  pagination: { number, isFirst, newer, older },
  note,
  words: [first, back, on] = inTime,
  onGo,
}: PagerProps<Cursor>) {
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-2 border-t px-3 py-3 sm:px-4">
      <p className="figures mr-auto text-muted text-sm">
        {[number !== null && `Page ${number}`, note].filter(Boolean).join(' · ')}
      </p>
      {!isFirst && (
        <Button size="sm" variant="ghost" onClick={() => onGo(undefined)}>
          <ChevronsLeft aria-hidden />
          {first}
        </Button>
      )}
      <Button size="sm" disabled={!newer} onClick={() => newer && onGo(newer.cursor)}>
        <ChevronLeft aria-hidden />
        {back}
      </Button>
      <Button size="sm" disabled={!older} onClick={() => older && onGo(older.cursor)}>
        {on}
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  )
}
