import type { LiveCallView } from '@trunkline/contract/live-calls'
import { useSyncExternalStore } from 'react'
import type { LiveState, LiveStore } from '../../app/live-calls.ts'

/** A hook that selects from a store of live calls. The selector must return a stable value. */
export const liveCallsOf =
  <Call extends LiveCallView>(store: LiveStore<Call>) =>
  <T>(select: (state: LiveState<Call>) => T): T =>
    useSyncExternalStore(store.subscribe, () => select(store.current()))
