import { system } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { deleteSipCredentials } from '../sip-credentials/store.ts'
import { removeAllAddresses, setHost } from '../trusted-addresses/store.ts'

export type SipAccess = ReturnType<typeof createSipAccess>

type Deps = {
  clock: Clock
  /** Ends the live calls of a user's phones and PBXs in the transaction. */
  endPhoneCalls: (tx: Database, userId: number, now: Date) => Promise<void>
}

/** Revokes SIP password, trusted addresses and live calls of phones and PBXs. */
export function createSipAccess({ clock, endPhoneCalls }: Deps) {
  const owner = system('the end of SIP access')
  return {
    /** Does not affect browser phones, which end with their sessions. */
    async end(tx: Database, userId: number): Promise<void> {
      await deleteSipCredentials(tx, userId)
      await removeAllAddresses(tx, userId)
      await setHost(tx, owner, userId, 'dynamic')
      await endPhoneCalls(tx, userId, clock.now())
    },
  }
}
