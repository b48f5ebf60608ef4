/** Stores the session token in local storage, under the key of the specification. */
const KEY = 'token'

/** Fallback if storage is blocked, as in private windows: the session lasts until the page is closed. */
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
    // The fallback holds it.
  }
}

/** Calls back when another tab signs in or out. */
export function onTokenChangedElsewhere(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    // A null key means the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}
