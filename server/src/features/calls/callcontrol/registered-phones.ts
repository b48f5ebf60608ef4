import { isWebPhone } from '@trunkline/contract/phone-names'
import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import type { Session } from './session.ts'
import { readRegistered } from './switches-store.ts'

export type RegisteredPhones = ReturnType<typeof createRegisteredPhones>

type Deps = { db: Database; clock: Clock; logger: Logger; catalogue: Catalogue }

/** Expiry times by contact. */
type Contacts = Map<string, number>

/**
 * Which switches hold registrations of an account. Every call control hears the events of all switches that it is connected to, and
 * reads the earlier ones when it connects.
 */
export function createRegisteredPhones({ db, clock, logger, catalogue }: Deps) {
  const owner = system('registered phones')
  const accounts = new Map<string, Map<string, Contacts>>()

  let forgetsAt = 0

  function add(account: string, switchId: string, contact: string, expiresAt: number): void {
    const name = account.toLowerCase()
    const switches = accounts.get(name) ?? new Map<string, Contacts>()
    const contacts = switches.get(switchId) ?? new Map<string, number>()
    contacts.set(contact, Math.max(contacts.get(contact) ?? 0, expiresAt))
    switches.set(switchId, contacts)
    accounts.set(name, switches)
  }

  function remove(account: string, switchId: string, contact: string): void {
    const contacts = accounts.get(account.toLowerCase())?.get(switchId)
    if (contact === '*') contacts?.clear()
    else contacts?.delete(contact)
  }

  return {
    remove,

    greet({ switchId, isDemo }: Session): void {
      if (isDemo) return
      readRegistered(db, owner, switchId, clock.now()).then(
        (rows) => {
          for (const { username, contact, expiresAt } of rows)
            add(username, switchId, contact, expiresAt.getTime())
        },
        (error) => logger.warn({ err: error, switch: switchId }, 'failed to read registered phones'),
      )
    },

    hear({ switchId }: Session, event: FromSwitchOf<'registered'> | FromSwitchOf<'unregistered'>): void {
      const { user, contact } = event
      if (event.type === 'registered') add(user, switchId, contact, event.expiresAt)
      else remove(user, switchId, contact)
    },

    /** Web phones are not stored. One that no switch has reported since our start may be at any of them. */
    isAt(account: string, switchId: string): boolean {
      const switches = accounts.get(account.toLowerCase())
      if (!switches) return isWebPhone(account)
      const now = clock.now().getTime()
      return [...(switches.get(switchId)?.values() ?? [])].some((expiresAt) => expiresAt > now)
    },

    forgetExpired(): void {
      const now = clock.now().getTime()
      if (now < forgetsAt) return
      forgetsAt = now + MINUTE
      for (const [account, switches] of accounts) {
        for (const [switchId, contacts] of switches) {
          for (const [contact, expiresAt] of contacts) if (expiresAt <= now) contacts.delete(contact)
          if (contacts.size === 0) switches.delete(switchId)
        }
        if (switches.size === 0 && !catalogue.phone(account)) accounts.delete(account)
      }
    },
  }
}
