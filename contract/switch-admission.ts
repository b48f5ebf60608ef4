import { z } from 'zod'

/**
 * What a switch and call control say to each other besides calls: who may register, which addresses are known by themselves, how
 * the trunks are. Part of switch-protocol.ts, which has the framing and the unions.
 *
 * A message to the switch may be 32,000 bytes long: long lists go in several.
 */

const at = z.number().int().nonnegative()
const trunkId = z.number().int()

/** The hashes of this user are wanted. The switch keeps the answer for some minutes, found or not. */
const credentialsAsked = z.object({
  type: z.literal('credentials'),
  request: z.string().max(60),
  user: z.string().max(200),
  at,
})
/**
 * HA1 = H(user:realm:password) in hex; null when there is no such user, no SIP password for this algorithm, or the user is disabled.
 * Phones that use SHA-256 sign in as `sha256~user`, and that name is in its hash.
 */
const credentialsTold = z.object({
  type: z.literal('credentials'),
  request: z.string(),
  user: z.string(),
  md5: z.string().nullable(),
  sha256: z.string().nullable(),
})
/** Drops what is kept of these users' hashes at once; null: of all. Registrations are checked again at their refresh. */
const forget = z.object({ type: z.literal('forget'), users: z.array(z.string()).nullable() })
/** Drops a user's registrations now. */
const unregister = z.object({ type: z.literal('unregister'), user: z.string() })
/** Addresses that identify one account: its calls from there are authorized without `user`, unless the request or a recent digest says otherwise. */
const addresses = z.object({
  type: z.literal('addresses'),
  clear: z.boolean(),
  add: z.array(z.object({ address: z.string(), user: z.string() })),
  remove: z.array(z.string()),
})

/** Whom to ping. The list is whole, unless `clear` is false: then it adds to the one before. */
const trunks = z.object({
  type: z.literal('trunks'),
  clear: z.boolean().optional(),
  trunks: z.array(
    z.object({
      id: trunkId,
      host: z.string(),
      port: z.number().int(),
      transport: z.enum(['udp', 'tcp', 'tls']),
    }),
  ),
})
/** One OPTIONS now, to this address whatever the list says; answered by `pinged`. */
const ping = z.object({
  type: z.literal('ping'),
  request: z.string(),
  trunk: trunkId,
  host: z.string(),
  port: z.number().int(),
  transport: z.enum(['udp', 'tcp', 'tls']),
})
const pinged = z.object({
  type: z.literal('pinged'),
  request: z.string(),
  trunk: trunkId,
  /** What the carrier answered; 408 when it did not. */
  code: z.number().int(),
  ms: z.number().int(),
})
/** Said when it changes, and of all trunks after `hello`. */
const trunk = z.object({
  type: z.literal('trunk'),
  trunk: trunkId,
  isUp: z.boolean(),
  code: z.number().int(),
  at,
})
/** An address is not listened to for a while; `user` is the name it tried last. */
const banned = z.object({ type: z.literal('banned'), address: z.string(), user: z.string(), at })

export const fromSwitchBesidesCalls = [credentialsAsked, pinged, trunk, banned] as const
export const toSwitchBesidesCalls = [credentialsTold, forget, unregister, addresses, trunks, ping] as const
