/**
 * A page by keyset: ask for one row more than is shown, and the row that is too much says that there is a next page.
 * The same cost at any depth.
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
