import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { normalHost } from './hosts.ts'
import { HOST_MAX, HOST_MIN } from './limits.ts'
import { messages, ownMessages } from './messages.ts'
import { GivenId } from './money.ts'

/** `dynamic`: the user registers. An address identifies the user's calls once it is proven. */
export const SipHost = z
  .string({ error: messages.hostTooShort })
  .trim()
  .min(HOST_MIN, messages.hostTooShort)
  .max(HOST_MAX, ownMessages.hostInvalid)
  .refine((host) => normalHost(host) !== null, ownMessages.hostInvalid)
  .transform((host) => normalHost(host) ?? host)

export const WebsiteIp = z
  .string({ error: ownMessages.websiteIpInvalid })
  .trim()
  .max(HOST_MAX, ownMessages.websiteIpInvalid)
  .refine((host) => normalHost(host) !== null, ownMessages.websiteIpInvalid)
  .transform((host) => normalHost(host) ?? host)

export const sipHosts = {
  'POST /api/user/host': {
    access: 'user',
    summary:
      'Set the source of your calls: `dynamic`, an IP address or a host name. An address is pending until it is proven; see `GET /api/user/addresses`',
    needsProof: true,
    body: z.strictObject({ host: SipHost }),
    answer: z.object({ host: z.string(), message: z.string() }),
    refusals: ['address_refused', 'too_many_addresses'],
  },
  'GET /api/admin/websiteip': {
    access: 'admin',
    summary: 'Get the address of the service; null if it is not set',
    answer: z.object({ websiteip: z.string().nullable() }),
  },
  'POST /api/admin/websiteip': {
    access: 'admin',
    summary:
      'Set the address that PBXs connect to, for the service or with `user_id` for one user. With `was` the request fails if someone else changed the address',
    body: z
      .strictObject({
        websiteip: WebsiteIp.nullable(),
        user_id: GivenId.optional(),
        /** The value that was read. */
        was: z.string().max(HOST_MAX).nullable().optional(),
      })
      // Null is allowed only for a user, who then has the address of the service.
      .refine(({ websiteip, user_id }) => websiteip !== null || user_id !== undefined, {
        error: ownMessages.websiteIpInvalid,
        path: ['websiteip'],
      }),
    answer: z.object({ websiteip: z.string().nullable(), message: z.string() }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
} as const satisfies Endpoints
