import { system } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { deleteSipCredentials } from '../sip-credentials/store.ts'
import { removeAllAddresses, setHost } from '../trusted-addresses/store.ts'

export type SipAccess = ReturnType<typeof createSipAccess>

type Deps = {
  clock: Clock
  /** Ends the live calls of a user's phones and PBXs, within the transaction. */
  endPhoneCalls: (tx: Database, userId: number, now: Date) => Promise<void>
}

/** Everything that lets phones and PBXs call on an account without its portal password. */
export function createSipAccess({ clock, endPhoneCalls }: Deps) {
  const owner = system('the end of SIP access')
  return {
    /** Phones in browsers end with their sessions and are not touched here. */
    async end(tx: Database, userId: number): Promise<void> {
      await deleteSipCredentials(tx, userId)
      await removeAllAddresses(tx, userId)
      await setHost(tx, owner, userId, 'dynamic')
      await endPhoneCalls(tx, userId, clock.now())
    },
  }
}
