import type { LiveCallView } from '@trunkline/contract/live-calls'
import { useSyncExternalStore } from 'react'
import { type LiveState, ownLiveCalls } from '../../app/live-calls.ts'

/**
 * What is known of the customer's live calls. Whoever needs one figure asks for that alone, so that the ticking of the
 * others does not redraw it; what is selected must stay the same object while it is the same.
 */
export const useLiveCalls = <T>(select: (state: LiveState<LiveCallView>) => T): T =>
  useSyncExternalStore(ownLiveCalls.subscribe, () => select(ownLiveCalls.current()))
