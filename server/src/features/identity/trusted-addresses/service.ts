import { Refusal } from '@trunkline/contract/errors'
import { isAddress, isSpecialAddress, normalHost } from '@trunkline/contract/hosts'
import { ADDRESSES_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { TrustedAddress } from '@trunkline/contract/trusted-addresses'
import {
  type Caller,
  everyonesData,
  type Owner,
  ownDataOf,
  requireAdmin,
  system,
} from '@trunkline/domain/access'
import { type Clock, DAY, earlier, HOUR } from '../../../platform/clock.ts'
import { type Database, isDuplicate } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Alerts } from '../alerts/service.ts'
import type { AttemptLimits } from '../attempts/service.ts'
import type { Audit } from '../audit/service.ts'
import type { Notices } from '../notices/service.ts'
import { findUserById } from '../users/store.ts'
import { addressTrusted } from './alert.ts'
import {
  type AddressRow,
  APPROVED_INDEX,
  approveAddress,
  claimAddress,
  findAddress,
  listAddresses,
  lockHost,
  proveAddress,
  registeredFrom,
  removeAddress,
  serviceHosts,
  setHost,
} from './store.ts'

export type TrustedAddresses = ReturnType<typeof createTrustedAddresses>

type Deps = {
  db: Database
  clock: Clock
  audit: Audit
  alerts: Pick<Alerts, 'raiseWithin'>
  attempts: AttemptLimits
  notices: Notices
  /** Hosts of the portal and the switches. */
  ownHosts: readonly string[]
  /** The addresses of these hosts and of this machine. */
  resolve: (hosts: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Rate limit, because a refused claim reveals addresses of the service. */
const CLAIMS_PER_HOUR = 30
const DYNAMIC = 'dynamic'
/** The address of a switch that was removed may belong to somebody else later. */
const SWITCH_KEEPS_ADDRESS = 7 * DAY

type Change =
  | { kind: 'host'; host: string }
  | { kind: 'add'; address: string }
  | { kind: 'remove'; id: number }

/** Addresses whose calls need no SIP password. Customers claim them; a digest proves them or an administrator approves them. */
export function createTrustedAddresses(deps: Deps) {
  const { db, clock, audit, alerts, attempts, notices, ownHosts, resolve } = deps

  async function list(handle: Database, owner: Owner, userId: number): Promise<TrustedAddress[]> {
    return (await listAddresses(handle, owner, userId)).map(view)
  }

  async function isOfService(address: string): Promise<boolean> {
    const switchesSince = earlier(clock.now(), SWITCH_KEEPS_ADDRESS)
    const hosts = await serviceHosts(db, system('hosts of the service'), switchesSince)
    return (await resolve([...ownHosts, ...hosts])).has(address)
  }

  async function allowClaim(caller: Caller, address: string): Promise<void> {
    const limit = { key: `address claims of user ${caller.userId}`, max: CLAIMS_PER_HOUR, windowMs: HOUR }
    await attempts.require([limit])
    if (isSpecialAddress(address) || (await isOfService(address))) throw new Refusal('address_refused')
  }

  async function claim(tx: Database, owner: Owner, userId: number, address: string): Promise<void> {
    await claimAddress(tx, owner, userId, address, clock.now())
    const { length } = await listAddresses(tx, owner, userId)
    if (length > ADDRESSES_MAX) throw new Refusal('too_many_addresses')
    const registered = await registeredFrom(tx, owner, userId, clock.now())
    if (!registered.some((from) => normalHost(from) === address)) return
    if (await proveAddress(tx, owner, userId, address, clock.now()))
      await alerts.raiseWithin(tx, [addressTrusted(userId, address)])
  }

  /** The host in the profile is part of the list, so a new host replaces the old entry. */
  async function replaceHost(
    tx: Database,
    owner: Owner,
    { userId, before, host }: { userId: number; before: string; host: string },
  ): Promise<void> {
    if (before !== host && isAddress(before)) await removeAddress(tx, owner, userId, before)
    await setHost(tx, owner, userId, host)
  }

  /** All changes by customers. */
  async function changeOwn(caller: Caller, change: Change): Promise<TrustedAddress[]> {
    const owner = ownDataOf(caller)
    const { userId } = caller
    if (change.kind === 'add') await allowClaim(caller, change.address)
    if (change.kind === 'host' && isAddress(change.host)) await allowClaim(caller, change.host)
    const addresses = await db.transaction().execute(async (tx) => {
      const before = await lockHost(tx, owner, userId)
      if (before === undefined) throw new Refusal('session_expired')
      if (change.kind === 'host') {
        await replaceHost(tx, owner, { userId, before, host: change.host })
        if (isAddress(change.host)) await claim(tx, owner, userId, change.host)
      }
      if (change.kind === 'add') {
        await claim(tx, owner, userId, change.address)
        if (before === DYNAMIC) await setHost(tx, owner, userId, change.address)
      }
      if (change.kind === 'remove') {
        const row = requireFound(await findAddress(tx, owner, change.id))
        await remove(tx, owner, row, before)
      }
      return list(tx, owner, userId)
    })
    await tellOwner(userId, addresses)
    return addresses
  }

  const tellOwner = (userId: number, addresses: readonly TrustedAddress[]): Promise<void> =>
    notices.send(userId, 'address', addresses.map(({ address }) => address).join(', ') || 'none')

  async function remove(
    tx: Database,
    owner: Owner,
    { user_id: userId, address }: Pick<AddressRow, 'user_id' | 'address'>,
    host: string,
  ): Promise<void> {
    await removeAddress(tx, owner, userId, address)
    if (host === address) await setHost(tx, owner, userId, DYNAMIC)
  }

  /** Administrators can approve private ranges, but no addresses of the service or of carriers. */
  async function allowApproval(address: string): Promise<void> {
    if (await isOfService(address)) throw new Refusal('address_refused', ownMessages.addressRefusedToAdmin)
  }

  async function approve(tx: Database, caller: Caller, userId: number, address: string): Promise<void> {
    const owner = everyonesData(caller)
    await approveAddress(tx, { userId, address, by: caller.userId }, clock.now())
    const { length } = await listAddresses(tx, owner, userId)
    if (length > ADDRESSES_MAX) throw new Refusal('too_many_addresses')
  }

  return {
    own: (caller: Caller): Promise<TrustedAddress[]> => list(db, ownDataOf(caller), caller.userId),

    changeOwn,

    async ofUser(caller: Caller, userId: number): Promise<TrustedAddress[]> {
      const owner = everyonesData(caller)
      requireFound(await findUserById(db, owner, userId))
      return list(db, owner, userId)
    },

    async approve(
      caller: Caller,
      userId: number,
      { address, note }: { address: string; note?: string | undefined },
    ): Promise<TrustedAddress[]> {
      const owner = everyonesData(caller)
      await allowApproval(address)
      const addresses = await db
        .transaction()
        .execute(async (tx) => {
          const host = requireFound(await lockHost(tx, owner, userId))
          const before = (await listAddresses(tx, owner, userId)).find((row) => row.address === address)
          await approve(tx, caller, userId, address)
          if (host === DYNAMIC) await setHost(tx, owner, userId, address)
          await audit.write(tx, caller, {
            action: 'address.approve',
            subject: `user ${userId}`,
            userId,
            reason: note || null,
            before: before ? { address, state: before.state } : null,
            after: { address, state: 'approved' },
          })
          return list(tx, owner, userId)
        })
        .catch(orApprovedElsewhere)
      await tellOwner(userId, addresses)
      return addresses
    },

    revoke: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        const found = await findAddress(tx, owner, id)
        const host = found && (await lockHost(tx, owner, found.user_id))
        // Reads again, because it can be deleted while waiting for the lock.
        const row = await findAddress(tx, owner, id)
        if (!row || host === undefined) throw new Refusal('not_found')
        await remove(tx, owner, row, host)
        await audit.write(tx, caller, {
          action: 'address.revoke',
          subject: `user ${row.user_id}`,
          userId: row.user_id,
          before: { address: row.address, state: row.state },
          after: null,
        })
      }),

    /** Checks a host that an administrator sets for a user. Call it before the transaction. */
    async allowHostByAdmin(caller: Caller, host: string): Promise<void> {
      requireAdmin(caller)
      if (isAddress(host)) await allowApproval(host)
    },
    async setHostByAdmin(
      tx: Database,
      caller: Caller,
      { userId, before, host }: { userId: number; before: string; host: string },
    ): Promise<void> {
      await replaceHost(tx, everyonesData(caller), { userId, before, host })
      if (isAddress(host)) await approve(tx, caller, userId, host).catch(orApprovedElsewhere)
    },
  }
}

function orApprovedElsewhere(error: unknown): never {
  if (isDuplicate(error, APPROVED_INDEX)) throw new Refusal('host_taken')
  throw error
}

const view = (row: AddressRow): TrustedAddress => ({
  id: row.id,
  address: row.address,
  state: row.state,
  added_at: row.added_at.toISOString(),
  trusted_at: row.trusted_at?.toISOString() ?? null,
  is_shared: row.is_shared,
})
