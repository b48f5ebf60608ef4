import { Refusal } from '@trunkline/contract/errors'

/** The row that a query has found, or the error `not_found`. */
export function requireFound<Row extends object | string>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw new Refusal('not_found')
  return row
}

/** Refuses a change of something that changed since it was read. Requests that do not say what was read always pass. */
export function requireUnchanged<Value extends string | number | null>(
  current: Value,
  read: Value | undefined,
): void {
  if (read !== undefined && read !== current) throw new Refusal('changed_meanwhile')
}
