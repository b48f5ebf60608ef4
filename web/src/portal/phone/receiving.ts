import { useSyncExternalStore } from 'react'

/** The settings of this browser for incoming calls. All tabs share them. */
export type Receiving = {
  /** Null until the customer chooses: then calls are received if the account has a number. */
  readonly isWanted: boolean | null
  readonly isQuiet: boolean
}

const KEY = 'phone-receiving'
const nothing: Receiving = { isWanted: null, isQuiet: false }
const listeners = new Set<() => void>()
let text: string | null = null
let current = nothing

export function readReceiving(): Receiving {
  try {
    const stored = localStorage.getItem(KEY)
    if (stored !== text) {
      text = stored
      current = parsed(stored)
    }
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  return current
}

function parsed(stored: string | null): Receiving {
  try {
    const { isWanted, isQuiet } = JSON.parse(stored ?? '{}')
    return { isWanted: typeof isWanted === 'boolean' ? isWanted : null, isQuiet: isQuiet === true }
  } catch {
    return nothing
  }
}

export function changeReceiving(change: Partial<Receiving>): void {
  current = { ...readReceiving(), ...change }
  try {
    const next = JSON.stringify(current)
    localStorage.setItem(KEY, next)
    text = next
  } catch {
    // As above.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === KEY || key === null) && listener()
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

export const useReceiving = (): Receiving => useSyncExternalStore(subscribe, readReceiving)
