import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import type { Places } from './use-places.ts'

type PagerProps = { places: Places; zone: string; onGo: (cursor: string | undefined) => void }

export function Pager({ places: { number, isFirst, newer, older }, zone, onGo }: PagerProps) {
  return (
    <nav aria-label="Pages of calls" className="flex flex-wrap items-center gap-2 border-t px-3 py-3 sm:px-4">
      <p className="mr-auto text-muted text-sm">
        {number !== null && <span className="figures">Page {number} · </span>}
        Times in {zone.replaceAll('_', ' ')}
      </p>
      {!isFirst && (
        <Button size="sm" variant="ghost" onClick={() => onGo(undefined)}>
          <ChevronsLeft aria-hidden />
          Newest
        </Button>
      )}
      <Button size="sm" disabled={!newer} onClick={() => newer && onGo(newer.cursor)}>
        <ChevronLeft aria-hidden />
        Newer
      </Button>
      <Button size="sm" disabled={!older} onClick={() => older && onGo(older.cursor)}>
        Older
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  )
}
