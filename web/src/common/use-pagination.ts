import { useState } from 'react'

/** The position in a list. An undefined cursor is the first page. */
export type Pagination<Cursor> = {
  /** Starts at 1; null if the page was opened by URL. */
  number: number | null
  isFirst: boolean
  newer: { cursor: Cursor | undefined } | null
  older: { cursor: Cursor } | null
}

/** The API has cursors only for older pages. Visited cursors are kept, so that the user can go back. */
export function usePagination<Cursor>(
  selection: object,
  cursor: Cursor | undefined,
  next: Cursor | null | undefined,
): Pagination<Cursor> {
  const name = JSON.stringify(selection)
  const [visited, setVisited] = useState<VisitedPages<Cursor>>({ name, cursors: [undefined] })
  const now = recordPage(visited, { name, cursor, next })
  if (now !== visited) setVisited(now)

  const at = now.cursors.indexOf(cursor)
  return {
    number: at < 0 ? null : at + 1,
    isFirst: cursor === undefined,
    newer: at > 0 ? { cursor: now.cursors[at - 1] } : null,
    older: next ? { cursor: next } : null,
  }
}

export type VisitedPages<Cursor> = { name: string; cursors: readonly (Cursor | undefined)[] }

/** Returns the same object if nothing changed. */
export function recordPage<Cursor>(
  visited: VisitedPages<Cursor>,
  { name, cursor, next }: { name: string; cursor: Cursor | undefined; next: Cursor | null | undefined },
): VisitedPages<Cursor> {
  const cursors = visited.name === name ? visited.cursors : [undefined]
  const at = cursors.indexOf(cursor)
  if (at < 0 || !next || cursors[at + 1] === next) return visited.name === name ? visited : { name, cursors }
  return { name, cursors: [...cursors.slice(0, at + 1), next] }
}
