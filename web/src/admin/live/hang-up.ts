import { api } from '../../app/api.ts'
import { askForEnd } from '../../common/calls/hang-up.ts'

/** Anybody's; the reason stands in the audit log. */
export const hangUp = (uniqueid: string, reason = ''): Promise<void> =>
  askForEnd(() =>
    api('POST /api/admin/live-calls/hangup', { body: { uniqueid, ...(reason.trim() && { reason }) } }),
  )
