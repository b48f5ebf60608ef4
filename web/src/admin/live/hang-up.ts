import { api } from '../../app/api.ts'
import { askForEnd } from '../../common/calls/hang-up.ts'

export const hangUp = (uniqueid: string, reason = ''): Promise<void> =>
  askForEnd(() =>
    api('POST /api/admin/live-calls/hangup', { body: { uniqueid, ...(reason.trim() && { reason }) } }),
  )
