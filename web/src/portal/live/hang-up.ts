import { api } from '../../app/api.ts'
import { askForEnd } from '../../common/calls/hang-up.ts'

export const hangUp = (uniqueid: string): Promise<void> =>
  askForEnd(() => api('POST /api/live-calls/hangup', { body: { uniqueid } }))
