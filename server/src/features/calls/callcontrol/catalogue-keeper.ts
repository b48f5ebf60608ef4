import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, isDatabaseUnavailable } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import {
  type PhoneFacts,
  readEmergencyRoute,
  readEverything,
  readPhones,
  readRoutes,
  readTrunks,
  readUsers,
  type UserFacts,
} from '../../catalogue/snapshot/store.ts'

export type CatalogueKeeper = ReturnType<typeof createCatalogueKeeper>

/** A catalogue that may have missed changes for longer is not decided by any more. */
const MAX_DEAF_MS = 5_000
/** With more changes than this at once, reading everything is less work. */
const MAX_SINGLE = 200

/** Whom switches have to hear of. */
export type CatalogueNews = {
  /** After a gap: anything may have changed. */
  onEverything(before: readonly UserFacts[]): void
  onUser(before: UserFacts | undefined, after: UserFacts | undefined): void
  onPhone(before: PhoneFacts | undefined, after: PhoneFacts | undefined): void
  onTrunk(): void
}

/** Keeps the catalogue as the database has it: whole at first and after every gap, one by one by notification. */
export function createCatalogueKeeper(
  db: Database,
  clock: Clock,
  logger: Logger,
  catalogue: Catalogue,
  news: CatalogueNews,
) {
  const owner = system('call control')
  const stale = new Set<string>()
  let isWholeStale = false
  let isLoaded = false
  let isListening = false
  let deafSince: number | null = clock.now().getTime()
  let working: Promise<void> | null = null

  /** One reading at a time: two could finish in the wrong order and leave the older. */
  async function work(): Promise<void> {
    while (isWholeStale || stale.size > 0) {
      if (isWholeStale || stale.size > MAX_SINGLE) {
        isWholeStale = false
        stale.clear()
        await orStaleAgain(() => (isWholeStale = true), readAll)
      } else {
        const [name = ''] = stale
        stale.delete(name)
        await orStaleAgain(
          () => stale.add(name),
          () => readOne(name),
        )
      }
    }
  }

  async function orStaleAgain(markStale: () => void, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      markStale()
      throw error
    }
  }

  async function readAll(): Promise<void> {
    const before = catalogue.replaceAll(await readEverything(db, owner))
    isLoaded = true
    news.onEverything(before)
    if (isListening) deafSince = null
    logger.info({ users: catalogue.userCount(), trunks: catalogue.trunks().length }, 'catalogue loaded')
  }

  async function readOne(name: string): Promise<void> {
    const [kind, idText = ''] = name.split(':')
    const id = Number(idText)
    if (kind === 'user') {
      const [facts] = await readUsers(db, owner, id)
      news.onUser(catalogue.replaceUser(id, facts), facts)
    }
    if (kind === 'phone') {
      const [facts] = await readPhones(db, owner, idText)
      news.onPhone(catalogue.replacePhone(idText, facts), facts)
    }
    if (kind === 'route') catalogue.replaceRoute(id, (await readRoutes(db, { id }))[0])
    if (kind === 'trunk') {
      catalogue.replaceTrunk(id, (await readTrunks(db, { id }))[0])
      news.onTrunk()
    }
    if (kind === 'emergency') catalogue.replaceEmergency(await readEmergencyRoute(db))
    if (kind === 'plan')
      for (const route of await readRoutes(db, { planId: id })) catalogue.replaceRoute(route.id, route)
  }

  /** What fails stays stale and is read again with the next tick. */
  function catchUp(): Promise<void> {
    working ??= work()
      .catch((error) => {
        const level = isDatabaseUnavailable(error) ? 'warn' : 'error'
        logger[level]({ err: error }, 'the catalogue could not be read')
      })
      .finally(() => {
        working = null
      })
    return working
  }

  return {
    /** Listening has begun, perhaps after a gap: whatever changed meanwhile was not heard. */
    onListening(): Promise<void> {
      isListening = true
      isWholeStale = true
      return catchUp()
    },
    onDeaf(): void {
      isListening = false
      deafSince ??= clock.now().getTime()
    },
    /** Answers when it was read. */
    onChange(name: string): Promise<void> {
      stale.add(name)
      return catchUp()
    },
    tick: (): Promise<void> => (isWholeStale || stale.size > 0 ? catchUp() : Promise.resolve()),
    isLoaded: (): boolean => isLoaded,
    isTrusted: (): boolean =>
      isLoaded && (deafSince === null || clock.now().getTime() - deafSince < MAX_DEAF_MS),
    /** Everything heard so far has been read. */
    settled: (): Promise<void> => working ?? Promise.resolve(),
  }
}
