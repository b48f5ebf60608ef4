import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import { system } from '@trunkline/domain/access'
import { earlier, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Phones } from './phones.ts'
import type { RegisteredPhones } from './registered-phones.ts'
import type { Session } from './session.ts'
import { forgetUnlisted, type ListedPhone } from './switches-store.ts'

type Page = FromSwitchOf<'phones'>

type Deps = {
  db: Database
  phones: Pick<Phones, 'unregisterInvalid'>
  registered: Pick<RegisteredPhones, 'remove'>
}

/**
 * Compares the phones that a switch lists after each connection with ours. A switch that was restarted has lost those with a connection,
 * and one that was alone may hold phones that may no longer register.
 */
export function createPhoneLists({ db, phones, registered }: Deps) {
  const owner = system('phone lists')
  const pages = new WeakMap<Session, Page['phones']>()

  return {
    async take(session: Session, page: Page): Promise<void> {
      const listed = pages.get(session) ?? []
      pages.set(session, listed)
      for (const phone of page.phones) listed.push({ ...phone, user: phone.user.toLowerCase() })
      if (!page.last) return
      pages.delete(session)
      phones.unregisterInvalid(session, listed)
      const names = listed.map(({ user, contact }): ListedPhone => ({ username: user, contact }))
      // A phone may have registered while the switch wrote the list.
      const before = earlier(new Date(page.at), SECOND)
      const gone = await forgetUnlisted(db, owner, session.switchId, before, names)
      for (const { username, contact } of gone) registered.remove(username, session.switchId, contact)
    },
  }
}
