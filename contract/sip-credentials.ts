import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { IdInPath } from './money.ts'

/** How a phone or a PBX is connected. The password itself is never in it. */
export const SipConnection = z.object({
  username: z.string(),
  realm: z.string(),
  /** The address to point it at, if the service has one set. */
  server: z.string().nullable(),
  port: z.number().int(),
  transports: z.array(z.enum(['udp', 'tcp', 'tls'])),
  tls_port: z.number().int(),
  has_password: z.boolean(),
  password_since: z.iso.datetime().nullable(),
})
export type SipConnection = z.output<typeof SipConnection>

const made = z.object({ username: z.string(), realm: z.string(), password: z.string() })
export type MadeSipPassword = z.output<typeof made>

export const sipCredentials = {
  'GET /api/user/sip': {
    access: 'user',
    summary: 'How to connect a phone or a PBX',
    answer: SipConnection,
  },
  'POST /api/user/sip/password': {
    access: 'user',
    summary: 'A new SIP password: answered this once, and the old one is dead at once',
    answer: made,
  },
  'POST /api/admin/users/:id/sip/password': {
    access: 'admin',
    summary: 'A new SIP password for a customer',
    params: IdInPath,
    answer: made,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
