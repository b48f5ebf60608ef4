import { useState } from 'react'

/** Where one is in the list, and which pages can be reached: undefined is the first. */
export type Places<Cursor> = {
  /** From 1; null where one came by an address in the middle. */
  number: number | null
  isFirst: boolean
  newer: { cursor: Cursor | undefined } | null
  older: { cursor: Cursor } | null
}

/**
 * The server leads from a page to the older one only, so that any page is found as fast as the first. The way back
 * is what was walked; Back and Forward of the browser find their place in it.
 */
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

/** The same object where nothing new was learned. */
export function walk<Cursor>(
  walked: Walked<Cursor>,
  { name, cursor, next }: { name: string; cursor: Cursor | undefined; next: Cursor | null | undefined },
): Walked<Cursor> {
  const cursors = walked.name === name ? walked.cursors : [undefined]
  const at = cursors.indexOf(cursor)
  if (at < 0 || !next || cursors[at + 1] === next) return walked.name === name ? walked : { name, cursors }
  return { name, cursors: [...cursors.slice(0, at + 1), next] }
}
