import type { UserRow } from './store.ts'

/** Where mail for the account may be sent. */
export const mailboxOf = (user: Pick<UserRow, 'email' | 'email_verified_at'>): string | null =>
  user.email_verified_at === null ? null : user.email
