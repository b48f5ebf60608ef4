import { Refusal } from '@trunkline/contract/errors'

/** The row that a query has found, or the error `not_found`. */
export function requireFound<Row extends object | string>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw new Refusal('not_found')
  return row
}
