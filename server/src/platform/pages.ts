/**
 * Keyset pagination: the query reads one extra row, which shows that there is a next page. The cost does not grow with
 * the page number.
 */
export function pageOf<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): { shown: readonly Row[]; next: Cursor | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, next: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}
