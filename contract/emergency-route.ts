import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id } from './fields.ts'
import { ownMessages } from './messages.ts'
import { GivenId } from './money.ts'

/** The trunk for emergency calls. Without one they are refused. */
export const EmergencyRoute = z.object({
  trunk_id: Id,
  trunk_name: z.string(),
  trunk_is_active: z.boolean(),
  /** Number sent to the carrier for every emergency call. Null sends the dialed number. */
  sent_as: z.string().nullable(),
  /** Caller ID for customers without an approved one. */
  callerid: z.string(),
})
export type EmergencyRoute = z.output<typeof EmergencyRoute>

const answer = z.object({ route: EmergencyRoute.nullable() })

export const emergencyRoute = {
  'GET /api/admin/emergency-route': {
    access: 'admin',
    summary: 'Get the emergency route; null if there is none',
    answer,
  },
  'PUT /api/admin/emergency-route': {
    access: 'admin',
    summary:
      'Set the trunk that carries emergency calls. Emergency calls are free. Their only limit is two parallel calls for each account',
    body: z.strictObject({
      trunk_id: GivenId,
      sent_as: z
        .string()
        .trim()
        .regex(/^\+?\d{2,20}$/, ownMessages.emergencyNumberInvalid)
        .nullable(),
      callerid: z
        .string()
        .trim()
        .regex(/^\d{7,16}$/, ownMessages.emergencyCallerIdInvalid),
    }),
    answer,
    refusals: ['not_found'],
  },
  'DELETE /api/admin/emergency-route': {
    access: 'admin',
    summary: 'Delete the emergency route. Emergency calls are refused from then on',
    answer,
  },
} as const satisfies Endpoints
