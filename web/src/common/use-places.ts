import { useState } from 'react'

/** Where one is in the list, and which pages can be reached: undefined is the first. */
export type Places = {
  /** From 1; null where one came by an address in the middle. */
  number: number | null
  isFirst: boolean
  newer: { cursor: string | undefined } | null
  older: { cursor: string } | null
}

/**
 * The server leads from a page to the older one only, so that any page is found as fast as the first. The way back
 * is what was walked; Back and Forward of the browser find their place in it.
 */
export function usePlaces(
  selection: object,
  cursor: string | undefined,
  next: string | null | undefined,
): Places {
  const name = JSON.stringify(selection)
  const [walked, setWalked] = useState<Walked>({ name, cursors: [undefined] })
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

export type Walked = { name: string; cursors: readonly (string | undefined)[] }

/** The same object where nothing new was learned. */
export function walk(
  walked: Walked,
  { name, cursor, next }: { name: string; cursor: string | undefined; next: string | null | undefined },
): Walked {
  const cursors = walked.name === name ? walked.cursors : [undefined]
  const at = cursors.indexOf(cursor)
  if (at < 0 || !next || cursors[at + 1] === next) return walked.name === name ? walked : { name, cursors }
  return { name, cursors: [...cursors.slice(0, at + 1), next] }
}
