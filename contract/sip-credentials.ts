import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { IdInPath } from './money.ts'

/** MD5 is what every phone understands. Few understand SHA-256 (RFC 8760). */
export const sipAlgorithms = ['MD5', 'SHA-256'] as const
export type SipAlgorithm = (typeof sipAlgorithms)[number]

/** The switch offers SHA-256 to names that begin so, whether or not the account exists. No user can have such a name. */
export const SHA256_NAME = 'sha256~'

/** How a phone or a PBX is connected. The password itself is never in it. */
export const SipConnection = z.object({
  /** The name phones sign in with: the user's own, with `sha256~` before it where the password was made for SHA-256. */
  username: z.string(),
  algorithm: z.enum(sipAlgorithms),
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

/** Without one a new password is made for the same algorithm as the last one; the first for MD5. */
const wanted = z.strictObject({ algorithm: z.enum(sipAlgorithms).optional() })
const made = z.object({ username: z.string(), realm: z.string(), password: z.string() })
export type MadeSipPassword = z.output<typeof made>

export const sipCredentials = {
  'GET /api/user/sip': {
    access: 'user',
    summary: 'Get the settings for a phone or a PBX',
    answer: SipConnection,
  },
  'POST /api/user/sip/password': {
    access: 'user',
    summary:
      'Create a new SIP password. The response contains it only once, and the old one ends immediately',
    needsProof: true,
    query: wanted,
    answer: made,
  },
  'POST /api/admin/users/:id/sip/password': {
    access: 'admin',
    summary: 'Create a new SIP password for a customer',
    needsProof: true,
    query: wanted,
    params: IdInPath,
    answer: made,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
