import { api } from '../../app/api.ts'
import { ownLiveCalls } from '../../app/live-calls.ts'
import { askForEnd } from '../../common/calls/hang-up.ts'
import { liveCallsOf } from '../../common/calls/use-live-calls.ts'

export const useLiveCalls = liveCallsOf(ownLiveCalls)

export const hangUp = (uniqueid: string): Promise<void> =>
  askForEnd(() => api('POST /api/live-calls/hangup', { body: { uniqueid } }))
