import { isWebPhone } from '@trunkline/contract/phone-names'
import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { type Catalogue, normalAddress } from '../../catalogue/snapshot/catalogue.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import { addressTrusted } from '../../identity/trusted-addresses/alert.ts'
import { proveAddress } from '../../identity/trusted-addresses/store.ts'
import type { Session } from './session.ts'

export type AddressProof = ReturnType<typeof createAddressProof>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  catalogue: Catalogue
  alerts: Pick<Alerts, 'raiseWithin'>
}

/** Marks a pending address as proven when its account authenticates from there. */
export function createAddressProof({ db, clock, logger, catalogue, alerts }: Deps) {
  const owner = system('address proof')
  /** Writes in progress, so that a phone with ten calls per second proves its address once. */
  const inProgress = new Set<string>()

  async function prove(userId: number, address: string): Promise<void> {
    const isNew = await db.transaction().execute(async (tx) => {
      if (!(await proveAddress(tx, owner, userId, address, clock.now()))) return false
      await alerts.raiseWithin(tx, [addressTrusted(userId, address)])
      return true
    })
    if (isNew) logger.info({ user: userId, address }, 'address proven')
  }

  return {
    /** This user has authenticated from this address. Calls of a demo switch prove nothing. */
    seen({ isDemo }: Pick<Session, 'isDemo'>, user: string | undefined, from: string): void {
      if (isDemo || user === undefined || isWebPhone(user)) return
      const facts = catalogue.factsByName(user)
      const address = normalAddress(from)
      const isPending = facts?.addresses.some((one) => one.state === 'pending' && one.address === address)
      if (!facts || facts.isDisabled || !isPending) return
      const key = `${facts.id} ${address}`
      if (inProgress.has(key)) return
      inProgress.add(key)
      prove(facts.id, address)
        // The next request from this address retries.
        .catch((error) =>
          logger.warn({ err: error, user: facts.id, address }, 'failed to store address proof'),
        )
        .finally(() => inProgress.delete(key))
    },
  }
}
