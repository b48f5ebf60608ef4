import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, textUpTo } from './fields.ts'
import { isAddress, normalHost } from './hosts.ts'
import { HOST_MAX, REASON_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { IdInPath } from './money.ts'

/** Pending: claimed. Proven: a phone used the SIP password from there. Approved: by an administrator. */
export const AddressState = z.enum(['pending', 'proven', 'approved'])
export type AddressState = z.output<typeof AddressState>

export const TrustedAddress = z.object({
  id: Id,
  address: z.string(),
  state: AddressState,
  added_at: Timestamp,
  /** Null while pending. */
  trusted_at: Timestamp.nullable(),
  /** Another account has proven the same address. It identifies neither until an administrator approves one. */
  is_shared: z.boolean(),
})
export type TrustedAddress = z.output<typeof TrustedAddress>

const GivenAddress = z
  .string({ error: ownMessages.addressInvalid })
  .trim()
  .max(HOST_MAX, ownMessages.addressInvalid)
  .refine((typed) => isAddress(normalHost(typed) ?? ''), ownMessages.addressInvalid)
  .transform((typed) => normalHost(typed) ?? typed)

const Note = textUpTo(REASON_MAX).optional()
const addressList = z.object({ addresses: z.array(TrustedAddress) })

export const trustedAddresses = {
  'GET /api/user/addresses': {
    access: 'user',
    summary: 'List your trusted and pending addresses',
    answer: addressList,
  },
  'POST /api/user/addresses': {
    access: 'user',
    summary: 'Claim an address. It stays pending until a request from there proves the SIP password',
    needsProof: true,
    body: z.strictObject({ address: GivenAddress }),
    answer: addressList.extend({ message: z.string() }),
    refusals: ['address_refused', 'too_many_addresses'],
  },
  'DELETE /api/user/addresses/:id': {
    access: 'user',
    summary: 'Remove an address. Calls from there require the SIP password again',
    params: IdInPath,
    answer: addressList.extend({ message: z.string() }),
    refusals: ['not_found'],
  },
  'GET /api/admin/users/:id/addresses': {
    access: 'admin',
    summary: 'List the trusted and pending addresses of a user',
    params: IdInPath,
    answer: addressList,
    refusals: ['not_found'],
  },
  'POST /api/admin/users/:id/addresses': {
    access: 'admin',
    summary:
      'Approve an address of a user without proof. Private ranges are allowed, addresses of carriers are not',
    needsProof: true,
    params: IdInPath,
    body: z.strictObject({ address: GivenAddress, note: Note }),
    answer: addressList.extend({ message: z.string() }),
    refusals: ['not_found', 'address_refused', 'host_taken', 'too_many_addresses'],
  },
  'DELETE /api/admin/addresses/:id': {
    access: 'admin',
    summary: 'Revoke an address of a user',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
