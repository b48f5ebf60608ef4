import { hmacSha1 } from '../../../platform/tokens.ts'

export type TurnServer = { urls: string[]; secret: string; isOnly: boolean }

/** Credentials that coturn checks with its `static-auth-secret`: the username contains the expiry time. */
export function turnCredentials(
  secret: string,
  user: string,
  expiresAt: Date,
): { username: string; credential: string } {
  const username = `${Math.floor(expiresAt.getTime() / 1_000)}:${user}`
  return { username, credential: hmacSha1(secret, username) }
}
