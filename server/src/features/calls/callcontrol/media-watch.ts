import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { createAnnouncementWatch } from './announcement-watch.ts'
import type { CatalogueKeeper } from './catalogue-keeper.ts'
import type { Hangups } from './hangups.ts'
import { endLostMediaCalls, forgetLegs } from './media-store.ts'

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  catalogue: Catalogue
  keeper: Pick<CatalogueKeeper, 'readMedia'>
  hangups: Pick<Hangups, 'look'>
  sessionOf: Parameters<typeof createAnnouncementWatch>[0]['sessionOf']
}

/** A longer gap between two checks means that the database was away, and media processes could not write their signs of life. */
const MAX_GAP_MS = 3 * SECOND
const WAIT_MS = 5 * SECOND

/** Ends the calls and announcements of media processes that are gone. */
export function createMediaWatch({ db, clock, logger, catalogue, keeper, hangups, sessionOf }: Deps) {
  const owner = system('media processes')
  const endAnnouncements = createAnnouncementWatch({ db, clock, logger, sessionOf })
  let checkedAt = Number.NEGATIVE_INFINITY
  let judgesFrom = 0

  return {
    async tick(): Promise<void> {
      await endAnnouncements()
      await keeper.readMedia()
      const now = clock.now()
      if (now.getTime() - checkedAt > MAX_GAP_MS) judgesFrom = now.getTime() + WAIT_MS
      checkedAt = now.getTime()
      if (checkedAt < judgesFrom) return
      const lost = await endLostMediaCalls(db, owner, catalogue.aliveMediaServers(), 'media_lost', now)
      if (lost.length === 0) return
      logger.warn({ calls: lost.length }, 'media process lost')
      await hangups.look()
    },
    forgetLegs: (): Promise<void> => forgetLegs(db, owner, clock.now()),
  }
}
