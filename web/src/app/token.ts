/** The session token lives in local storage under the key the specification names. */
const KEY = 'token'

/** Storage can be forbidden altogether (private windows, policies); then a session lasts as long as the page. */
let fallback: string | null = null

export function readToken(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return fallback
  }
}

export function writeToken(token: string | null): void {
  fallback = token
  try {
    if (token === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, token)
  } catch {
    // The fallback has it.
  }
}

/** Tells when another tab signed in or out. */
export function onTokenChangedElsewhere(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}
