import { Refusal } from '@trunkline/contract/errors'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findSetting, lockSetting, saveSetting, WEBSITE_IP } from '../../identity/service-settings/store.ts'
import { findUserById } from '../../identity/users/store.ts'
import { setWebsiteIp } from './store.ts'

export type SipHosts = ReturnType<typeof createSipHosts>

type GivenIp = {
  websiteip: string | null
  user_id?: number | undefined
  was?: string | null | undefined
}

/** The SIP host for customers' PBXs (`websiteip`). Their own addresses are in features/identity/trusted-addresses. */
export function createSipHosts(db: Database, clock: Clock, audit: Audit) {
  async function setForService(
    tx: Database,
    caller: Caller,
    websiteip: string,
    was: string | null | undefined,
  ): Promise<void> {
    requireAdmin(caller)
    const before = await lockSetting(tx, WEBSITE_IP)
    requireUnchanged(before, was)
    if (!(await saveSetting(tx, WEBSITE_IP, websiteip, clock.now()))) return
    await audit.write(tx, caller, {
      action: 'websiteip.update',
      subject: 'the service',
      before: { websiteip: before },
      after: { websiteip },
    })
  }

  async function setForUser(
    tx: Database,
    caller: Caller,
    userId: number,
    websiteip: string | null,
    was: string | null | undefined,
  ): Promise<void> {
    requireAdmin(caller)
    const before = requireFound(await setWebsiteIp(tx, userId, websiteip))
    requireUnchanged(before.websiteip, was)
    await audit.write(tx, caller, {
      action: 'websiteip.update',
      subject: `user ${userId}`,
      userId,
      before,
      after: { websiteip },
    })
  }

  return {
    async websiteIpOfService(caller: Caller): Promise<string | null> {
      requireAdmin(caller)
      return findSetting(db, WEBSITE_IP)
    },

    /** Sets the host of the service or of one user. */
    setWebsiteIp: (caller: Caller, { websiteip, user_id: userId, was }: GivenIp): Promise<string | null> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        if (userId !== undefined) {
          await setForUser(tx, caller, userId, websiteip, was)
          return (await findUserById(tx, owner, userId))?.shown_websiteip ?? null
        }
        if (websiteip === null) throw new Refusal('invalid_input')
        await setForService(tx, caller, websiteip, was)
        return websiteip
      }),
  }
}
