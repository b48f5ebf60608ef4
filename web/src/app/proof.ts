import { useSyncExternalStore } from 'react'
import { onProofNeeded } from './api.ts'

/** Requests that wait for the password. The dialog is open while there are any. */
let waiting: ((isProven: boolean) => void)[] = []
const listeners = new Set<() => void>()

function become(next: typeof waiting): void {
  waiting = next
  for (const listener of listeners) listener()
}

onProofNeeded(() => new Promise((resolve) => become([...waiting, resolve])))

/** Continues or fails all waiting requests. */
export function endProof(isProven: boolean): void {
  const resolvers = waiting
  become([])
  for (const resolve of resolvers) resolve(isProven)
}

export const useProofNeeded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )
