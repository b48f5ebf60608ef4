import type { LiveCallView } from '@trunkline/contract/live-calls'
import { useSyncExternalStore } from 'react'
import type { LiveState, LiveStore } from '../../app/live-calls.ts'

/**
 * What is known of live calls, one's own or everybody's. Whoever needs one figure asks for that alone, so that the
 * ticking of the others does not redraw it; what is selected must stay the same object while it is the same.
 */
export const liveCallsOf =
  <Call extends LiveCallView>(store: LiveStore<Call>) =>
  <T>(select: (state: LiveState<Call>) => T): T =>
    useSyncExternalStore(store.subscribe, () => select(store.current()))
