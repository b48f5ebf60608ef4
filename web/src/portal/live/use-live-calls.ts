import { ownLiveCalls } from '../../app/live-calls.ts'
import { liveCallsOf } from '../../common/calls/use-live-calls.ts'

export const useLiveCalls = liveCallsOf(ownLiveCalls)
