import { z } from 'zod'

/**
 * Messages between switch and call control about registration, trusted addresses and trunk health. Part of
 * switch-protocol.ts, which has the framing and the unions.
 *
 * A message to the switch is limited to 32,000 bytes, so long lists are split.
 */

const at = z.number().int().nonnegative()
export const trunkId = z.number().int()

/** Where a carrier gets requests. */
export const gateway = {
  host: z.string(),
  port: z.number().int(),
  transport: z.enum(['udp', 'tcp', 'tls']),
}

/** Requests the hashes of a user. The switch caches the answer for some minutes, also if there is no such user. */
const credentialsRequest = z.object({
  type: z.literal('credentials'),
  request: z.string().max(60),
  user: z.string().max(200),
  at,
})
/**
 * HA1 = H(user:realm:password) in hex. Null if the user does not exist, is disabled, or has no SIP password for this
 * algorithm. Phones with SHA-256 sign in as `sha256~user`, and the hash includes that name.
 */
const credentialsAnswer = z.object({
  type: z.literal('credentials'),
  request: z.string(),
  user: z.string(),
  md5: z.string().nullable(),
  sha256: z.string().nullable(),
})
/** Clears cached hashes of these users, or of all with null. Registrations are checked again at their next refresh. */
const forget = z.object({ type: z.literal('forget'), users: z.array(z.string()).nullable() })
/** Removes a user's registrations and message-waiting subscriptions immediately. */
const unregister = z.object({ type: z.literal('unregister'), user: z.string() })
/** Requests all registered contacts. The answer is one or more `phones`, of which one is the last. */
const listPhones = z.object({ type: z.literal('list_phones') })
/**
 * `at` is the time when the switch has begun the list. `fingerprint` tells with which password the phone has last registered: the
 * first 8 digits of the SHA-256 of the HA1. It is missing if an earlier version of the switch has saved the contact.
 */
const phones = z.object({
  type: z.literal('phones'),
  at,
  phones: z.array(z.object({ user: z.string(), contact: z.string(), fingerprint: z.string().optional() })),
  last: z.boolean(),
})
/** Addresses that identify an account. Calls from there are authorized without `user`, unless a digest names another account. */
const addresses = z.object({
  type: z.literal('addresses'),
  clear: z.boolean(),
  add: z.array(z.object({ address: z.string(), user: z.string() })),
  remove: z.array(z.string()),
})

/** Sources of incoming calls, as `address` or `address:port`. Replaces the list if `clear` is true, else adds to it. */
const sources = z.object({
  type: z.literal('sources'),
  clear: z.boolean(),
  add: z.array(z.string()),
})

/** Trunks at which the switch registers. Replaces the list. */
const registers = z.object({
  type: z.literal('registers'),
  trunks: z.array(
    z.object({
      id: trunkId,
      ...gateway,
      username: z.string(),
      password: z.string(),
    }),
  ),
})

/**
 * Messages of accounts. Registered and subscribed phones get a NOTIFY if the counts have changed. A complete list has one message with
 * `begins` and one with `ends`, or one with both: accounts that it does not contain have no messages.
 */
const messages = z.object({
  type: z.literal('messages'),
  begins: z.boolean().optional(),
  ends: z.boolean().optional(),
  accounts: z.array(
    z.object({
      user: z.string(),
      new: z.number().int().nonnegative(),
      read: z.number().int().nonnegative(),
    }),
  ),
})

/** Trunks to ping. Replaces the list, or adds to it if `clear` is false. */
const trunks = z.object({
  type: z.literal('trunks'),
  clear: z.boolean().optional(),
  trunks: z.array(
    z.object({
      id: trunkId,
      ...gateway,
    }),
  ),
})
/** Sends one OPTIONS to this address, whether or not it is in the list. The answer is `pinged`. */
const ping = z.object({
  type: z.literal('ping'),
  request: z.string(),
  trunk: trunkId,
  ...gateway,
})
const pinged = z.object({
  type: z.literal('pinged'),
  request: z.string(),
  trunk: trunkId,
  /** SIP code of the carrier, or 408 without an answer. */
  code: z.number().int(),
  ms: z.number().int(),
})
/** Sent on every change, and for all trunks after `hello`. */
const trunk = z.object({
  type: z.literal('trunk'),
  trunk: trunkId,
  isUp: z.boolean(),
  code: z.number().int(),
  at,
})
/** Whether the switch is registered at a carrier. Sent on every change, and for all of them after `hello`. */
const registration = z.object({
  type: z.literal('registration'),
  trunk: trunkId,
  isRegistered: z.boolean(),
  at,
})
/** The switch temporarily ignores an address. `user` is the last username from there. */
const banned = z.object({ type: z.literal('banned'), address: z.string(), user: z.string(), at })

export const fromSwitchBesidesCalls = [
  credentialsRequest,
  phones,
  pinged,
  trunk,
  registration,
  banned,
] as const
export const toSwitchBesidesCalls = [
  credentialsAnswer,
  forget,
  unregister,
  listPhones,
  addresses,
  sources,
  registers,
  messages,
  trunks,
  ping,
] as const
