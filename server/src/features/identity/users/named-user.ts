/** A user as answers refer to it. Null if there is none, or it no longer exists. */
export const namedUser = (
  id: number | null,
  username: string | null,
): { id: number; username: string } | null => (id === null || username === null ? null : { id, username })
