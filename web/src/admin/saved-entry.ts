import { ApiError } from '../app/api.ts'

/** The entry of a list that was read again after a conflict. */
export function savedEntry<Entry extends { id: number }>(
  entries: readonly Entry[],
  id: number | undefined,
  kind: string,
): Entry {
  const saved = entries.find((entry) => entry.id === id)
  if (!saved) throw new ApiError(`Someone else deleted this ${kind}.`)
  return saved
}
