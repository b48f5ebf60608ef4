import { Refusal } from '@trunkline/contract/errors'
import { type Caller, everyonesData, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../platform/clock.ts'
import { type Database, isDuplicate } from '../../platform/database.ts'
import { findUserById } from '../accounts/store.ts'
import type { Audit } from '../audit/service.ts'
import { findSetting, saveSetting, WEBSITE_IP } from '../service-settings/store.ts'
import { HOST_INDEX, setHost, setWebsiteIp } from './store.ts'

export type SipHosts = ReturnType<typeof createSipHosts>

/** Where customers call from (`host`), and where they point their PBX at (`websiteip`). */
export function createSipHosts(db: Database, clock: Clock, audit: Audit) {
  async function setForService(tx: Database, caller: Caller, websiteip: string): Promise<void> {
    const owner = everyonesData(caller)
    const before = await findSetting(tx, owner, WEBSITE_IP)
    if (!(await saveSetting(tx, owner, WEBSITE_IP, websiteip, clock.now()))) return
    await audit.write(tx, caller, {
      ...{ action: 'websiteip.update', subject: 'the service', userId: null, reason: null },
      before: { websiteip: before },
      after: { websiteip },
    })
  }

  async function setForUser(
    tx: Database,
    caller: Caller,
    userId: number,
    websiteip: string | null,
  ): Promise<void> {
    const before = await setWebsiteIp(tx, everyonesData(caller), userId, websiteip)
    if (!before) throw new Refusal('not_found')
    await audit.write(tx, caller, {
      ...{ action: 'websiteip.update', subject: `user ${userId}`, userId, reason: null },
      before,
      after: { websiteip },
    })
  }

  return {
    /** An address says who is calling: the database lets no two accounts have the same. */
    async setOwnHost(caller: Caller, host: string): Promise<string> {
      try {
        await setHost(db, ownDataOf(caller), caller.userId, host)
        return host
      } catch (error) {
        if (isDuplicate(error, HOST_INDEX)) throw new Refusal('host_taken')
        throw error
      }
    },

    /** What the service, or this one user, shows from now on. */
    setWebsiteIp: (caller: Caller, websiteip: string | null, userId?: number): Promise<string | null> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        if (userId !== undefined) {
          await setForUser(tx, caller, userId, websiteip)
          return (await findUserById(tx, owner, userId))?.shown_websiteip ?? null
        }
        if (websiteip === null) throw new Refusal('invalid_input')
        await setForService(tx, caller, websiteip)
        return websiteip
      }),
  }
}
