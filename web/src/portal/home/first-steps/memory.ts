type Remembered = 'begun' | 'dismissed' | null

const keyOf = (userId: number) => `first-steps-${userId}`

/** What this browser knows of somebody's list. Without storage the list is shown while it is open, which is no harm. */
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
    // It holds for this visit then.
  }
}
