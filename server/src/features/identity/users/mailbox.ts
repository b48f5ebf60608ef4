import type { UserRow } from './store.ts'

/** The verified address, or null. */
export const mailboxOf = (user: Pick<UserRow, 'email' | 'email_verified_at'>): string | null =>
  user.email_verified_at === null ? null : user.email
