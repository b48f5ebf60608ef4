import { ownLiveCalls } from '../../app/live-calls.ts'
import { liveCallsOf } from '../../common/calls/use-live-calls.ts'

/** The customer's live calls. */
export const useLiveCalls = liveCallsOf(ownLiveCalls)
