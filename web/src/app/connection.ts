import { useSyncExternalStore } from 'react'

/** Is the server reachable? Every request reports it (api.ts); the banner and the session subscribe. */
export type Connection = 'connected' | 'disconnected'

let current: Connection = 'connected'
const listeners = new Set<() => void>()

export const connection = (): Connection => current

export function reportConnection(found: Connection): void {
  if (found === current) return
  current = found
  for (const listener of listeners) listener()
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useConnection = (): Connection => useSyncExternalStore(onConnectionChange, connection)
