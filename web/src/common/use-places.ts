import { useState } from 'react'

/** The position in a list. An undefined cursor is the first page. */
export type Places<Cursor> = {
  /** Starts at 1; null if the page was opened by URL. */
  number: number | null
  isFirst: boolean
  newer: { cursor: Cursor | undefined } | null
  older: { cursor: Cursor } | null
}

/** The API has cursors only for older pages. The visited cursors are remembered for the way back. */
export function usePlaces<Cursor>(
  selection: object,
  cursor: Cursor | undefined,
  next: Cursor | null | undefined,
): Places<Cursor> {
  const name = JSON.stringify(selection)
  const [walked, setWalked] = useState<Walked<Cursor>>({ name, cursors: [undefined] })
  const now = walk(walked, { name, cursor, next })
  if (now !== walked) setWalked(now)

  const at = now.cursors.indexOf(cursor)
  return {
    number: at < 0 ? null : at + 1,
    isFirst: cursor === undefined,
    newer: at > 0 ? { cursor: now.cursors[at - 1] } : null,
    older: next ? { cursor: next } : null,
  }
}

export type Walked<Cursor> = { name: string; cursors: readonly (Cursor | undefined)[] }

/** Returns the same object if nothing changed. */
export function walk<Cursor>(
  walked: Walked<Cursor>,
  { name, cursor, next }: { name: string; cursor: Cursor | undefined; next: Cursor | null | undefined },
): Walked<Cursor> {
  const cursors = walked.name === name ? walked.cursors : [undefined]
  const at = cursors.indexOf(cursor)
  if (at < 0 || !next || cursors[at + 1] === next) return walked.name === name ? walked : { name, cursors }
  return { name, cursors: [...cursors.slice(0, at + 1), next] }
}
