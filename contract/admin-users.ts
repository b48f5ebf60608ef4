import { healthReasonKinds } from '@trunkline/domain/health'
import { parseDollars } from '@trunkline/domain/money'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { GivenFlag, Id, NewPassword, SipAccess, Timestamp, Username, UserRef } from './fields.ts'
import { PAGE_DEFAULT, PAGE_MAX, SEARCH_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { GivenId, IdInPath, pageSize, Reason, RequestKey } from './money.ts'
import { Registration } from './registrations.ts'
import { OpenSession } from './sessions.ts'
import { SipConnection } from './sip-credentials.ts'
import { Tag } from './user-notes.ts'
import { plainFields, shownFields, writableFields } from './user-schemas.ts'

/** A user for administrators. */
export const AdminUser = z.object({
  id: Id,
  ...shownFields,
  is_admin: z.boolean(),
  is_premium: z.boolean(),
  is_disabled: z.boolean(),
  /** Only administrators see tags. */
  tags: z.array(z.string()),
  /** Dollars with six decimals. */
  bal: z.number(),
  held: z.number(),
  createdAt: Timestamp,
  /** Increases with every change of the account, except changes of the balance. */
  version: z.int(),
})
export type AdminUser = z.output<typeof AdminUser>

/** A plain reason to look at a customer. */
export const HealthReason = z.object({ kind: z.enum(healthReasonKinds), text: z.string() })
export type HealthReason = z.output<typeof HealthReason>

/** A user in the list. */
export const ListedUser = AdminUser.extend({
  /** Empty for disabled users. */
  health: z.array(HealthReason),
})
export type ListedUser = z.output<typeof ListedUser>

/** The last 7 full days (UTC), compared with the 7 days before. */
export const UserHealth = z.object({
  reasons: z.array(HealthReason),
  spend: z.number(),
  spend_before: z.number(),
  /** Null without spend in the days before. */
  spend_change_percent: z.int().nullable(),
  calls: z.int(),
  /** Calls that reached nobody. Null without calls. */
  failed_percent: z.int().nullable(),
  failed_percent_before: z.int().nullable(),
  open_tickets: z.int(),
  oldest_ticket_minutes: z.int().nullable(),
  /** Days that the balance lasts at this spend. Null without spend. */
  balance_days: z.int().nullable(),
})
export type UserHealth = z.output<typeof UserHealth>

/** A user with data from other features. */
export const UserDetails = AdminUser.extend({
  /** The server address shown to the user. */
  shown_websiteip: z.string().nullable(),
  callerid: z.string().nullable(),
  disabled_at: Timestamp.nullable(),
  /** The account that this one was merged into. */
  merged_into: UserRef.nullable(),
  /** Accounts that were merged into this one. */
  merged_from: z.array(UserRef),
  last_sign_in_at: Timestamp.nullable(),
  /** Date of the latest call, UTC. */
  last_call_on: z.iso.date().nullable(),
  sessions: z.int(),
  registrations: z.int(),
  live_calls: z.int(),
  open_tickets: z.int(),
  open_alerts: z.int(),
})
export type UserDetails = z.output<typeof UserDetails>

export const UserSort = z.enum([
  ...['newest', 'oldest', 'name', 'name_desc', 'balance', 'balance_asc'],
  ...['spend_change', 'failed_calls', 'balance_days'],
] as const)
export type UserSort = z.output<typeof UserSort>

const Flag = z.enum(['yes', 'no'])

/** Filters of the list. */
export const UserFilter = z.strictObject({
  /** Part of a name, email address or company, or a complete id. With fewer than three letters: prefix of a username. */
  search: z.string().trim().max(SEARCH_MAX).optional(),
  premium: Flag.optional(),
  disabled: Flag.optional(),
  admin: Flag.optional(),
  tag: Tag.optional(),
  /** Users with this reason to look at them, or with any. */
  health: z.enum(['any', ...healthReasonKinds]).optional(),
})
export type UserFilter = z.output<typeof UserFilter>

const rights = { is_premium: GivenFlag, is_admin: GivenFlag }

const Balance = z
  .number({ error: ownMessages.amountInvalid })
  .refine((amount) => parseDollars(amount).ok, ownMessages.amountInvalid)

const UserEdit = z
  .strictObject({
    id: GivenId,
    /** The version that was read. The request fails if the account has changed since. */
    version: z.int().optional(),
    ...z.object({ ...writableFields, ...rights }).partial().shape,
    is_disabled: GivenFlag.optional(),
    /** The new balance, booked as an adjustment. Requires `reason`, `request_key` and `bal_was`. */
    bal: Balance.optional(),
    bal_was: Balance.optional(),
    reason: Reason.optional(),
    request_key: RequestKey.optional(),
  })
  .check(({ value, issues }) => {
    if (value.bal === undefined) return
    const missing = (['reason', 'bal_was', 'request_key'] as const).filter(
      (field) => value[field] === undefined,
    )
    for (const field of missing)
      issues.push({
        code: 'custom',
        input: value,
        path: [field],
        message: field === 'reason' ? ownMessages.reasonMissing : ownMessages.balanceNeedsMore,
      })
  })
export type UserEdit = z.output<typeof UserEdit>

const NewUser = z.strictObject({
  ...z
    .object({ email: writableFields.email, country: writableFields.country, ...plainFields, ...rights })
    .partial().shape,
  username: Username,
  /** Left out, one is made. */
  password: NewPassword.optional(),
})
export type NewUser = z.output<typeof NewUser>

export const adminUsers = {
  'GET /api/users': {
    access: 'admin',
    summary: 'List users with search, filters and sorting',
    query: UserFilter.extend({
      /** By balance: highest first, from a ranking that is up to one minute old. */
      sort: UserSort.default('newest'),
      /** `next` of the previous page. */
      after: z.string().max(200).optional(),
      limit: pageSize(PAGE_MAX, PAGE_DEFAULT),
    }),
    answer: z.object({ users: z.array(ListedUser), next: z.string().nullable() }),
  },
  'POST /api/user/add': {
    access: 'admin',
    summary: 'Create a user. The response contains a generated password only once',
    needsProof: ['is_admin'],
    body: NewUser,
    answer: z.object({ user: AdminUser, password: z.string().nullable() }),
    refusals: ['username_taken'],
  },
  'PATCH /api/admin/user/update': {
    access: 'admin',
    summary:
      'Update a user. Only the given fields change. `bal` requires `bal_was`, `reason` and `request_key` and becomes a ledger adjustment',
    needsProof: ['username', 'email', 'host', 'is_admin'],
    body: UserEdit,
    answer: z.object({ user: AdminUser, message: z.string(), sip_password_ended: z.boolean() }),
    refusals: [
      'not_found',
      'username_taken',
      'host_taken',
      'address_refused',
      'too_many_addresses',
      'changed_meanwhile',
      'own_account',
      'merged_account',
      'insufficient_balance',
      'key_conflict',
    ],
  },
  'GET /api/admin/users/:id': {
    access: 'admin',
    summary: 'Get a user',
    params: IdInPath,
    answer: z.object({ user: UserDetails }),
    refusals: ['not_found'],
  },
  'GET /api/admin/users/:id/health': {
    access: 'admin',
    summary: 'Get the spend, failed calls, tickets and balance of a user for 7 days. Null for disabled users',
    params: IdInPath,
    answer: z.object({ health: UserHealth.nullable() }),
    refusals: ['not_found'],
  },
  'GET /api/admin/users/:id/sessions': {
    access: 'admin',
    summary: 'List the sessions of a user, last used first',
    params: IdInPath,
    answer: z.object({ sessions: z.array(OpenSession) }),
    refusals: ['not_found'],
  },
  'DELETE /api/admin/users/:id/sessions': {
    access: 'admin',
    summary:
      'End all sessions of a user. Also ends the SIP password and trusted addresses unless `sip_access` is `keep`',
    params: IdInPath,
    query: z.strictObject({ sip_access: SipAccess }),
    answer: z.object({ message: z.string(), ended: z.int() }),
    refusals: ['not_found'],
  },
  'GET /api/admin/users/:id/sip': {
    access: 'admin',
    summary: 'Get the SIP settings and current registrations of a user',
    params: IdInPath,
    answer: z.object({ connection: SipConnection, registrations: z.array(Registration) }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
