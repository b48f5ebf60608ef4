/**
 * Keyset pagination: the query reads one extra row, which shows that there is a next page. The cost does not grow with
 * the page number.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => number,
): { shown: readonly Row[]; next: number | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, next: rows.length > limit && last !== undefined ? idOf(last) : null }
}
