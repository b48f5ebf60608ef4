import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { IdInPath } from './money.ts'

/** Every phone supports MD5. Few support SHA-256 (RFC 8760). */
export const sipAlgorithms = ['MD5', 'SHA-256'] as const
export type SipAlgorithm = (typeof sipAlgorithms)[number]

/** The switch offers SHA-256 to names with this prefix, even if the account does not exist. Usernames cannot contain it. */
export const SHA256_NAME = 'sha256~'

/** Settings for a phone or PBX, without the password. */
export const SipConnection = z.object({
  /** SIP username. It has the prefix `sha256~` if the password was generated for SHA-256. */
  username: z.string(),
  algorithm: z.enum(sipAlgorithms),
  realm: z.string(),
  /** Server address. Null if none is configured. */
  server: z.string().nullable(),
  port: z.number().int(),
  transports: z.array(z.enum(['udp', 'tcp', 'tls'])),
  tls_port: z.number().int(),
  has_password: z.boolean(),
  password_since: z.iso.datetime().nullable(),
})
export type SipConnection = z.output<typeof SipConnection>

/** Defaults to the algorithm of the current password, or MD5. */
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
