type Remembered = 'begun' | 'dismissed' | null

const keyOf = (userId: number) => `first-steps-${userId}`

/** The state of the list in this browser. */
export function recall(userId: number): Remembered {
  try {
    const value = localStorage.getItem(keyOf(userId))
    return value === 'begun' || value === 'dismissed' ? value : null
  } catch {
    return null
  }
}

export function remember(userId: number, what: 'begun' | 'dismissed'): void {
  try {
    localStorage.setItem(keyOf(userId), what)
  } catch {
    // Storage is unavailable; the state lasts until the page is closed.
  }
}
