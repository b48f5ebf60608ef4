import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, isDatabaseUnavailable } from '../../../platform/database.ts'
import { readRules } from '../../catalogue/routing-rules/store.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type MediaServer, readFlows, readMediaServers } from '../../catalogue/snapshot/media-store.ts'
import {
  type Carrier,
  INTERNAL_CALL_PRICE,
  readCarriers,
  readInternalPrice,
  readNumbers,
} from '../../catalogue/snapshot/numbers-store.ts'
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

/** A catalog that may have missed changes for longer than this is not used. */
const MAX_UNHEARD_MS = 5_000
/** Above this number of changes, a full reload is cheaper. */
const MAX_SINGLE = 200
/** Above this number of changed numbers, reading the whole inventory is cheaper. An import changes thousands at once. */
const MAX_SINGLE_NUMBERS = 50

/** Listeners that forward changes to the switches. */
export type CatalogueNews = {
  /** After a gap in the notifications: anything may have changed. */
  onEverything(before: readonly UserFacts[]): void
  onUser(before: UserFacts | undefined, after: UserFacts | undefined): void
  onPhone(before: PhoneFacts | undefined, after: PhoneFacts | undefined): void
  onTrunk(before: Carrier | undefined, after: Carrier | undefined): void
  onMedia(before: readonly MediaServer[]): void
  /** The voicemail of a customer has changed. */
  onMessages(userId: number): Promise<void>
}

/** Keeps the catalog up to date: a full load at startup and after every gap, single rows by notification. */
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
  let unheardSince: number | null = clock.now().getTime()
  let working: Promise<void> | null = null

  /** One read at a time, because a slower old read could overwrite a newer one. */
  async function work(): Promise<void> {
    while (isWholeStale || stale.size > 0) {
      const numbers = staleNumbers()
      if (!isWholeStale && numbers.length > MAX_SINGLE_NUMBERS) {
        for (const name of numbers) stale.delete(name)
        const markStale = () => {
          for (const name of numbers) stale.add(name)
        }
        await orStaleAgain(markStale, readInventory)
      } else if (isWholeStale || stale.size > MAX_SINGLE) {
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

  const staleNumbers = (): string[] =>
    stale.size > MAX_SINGLE_NUMBERS ? [...stale].filter((name) => /^(number|rental):/.test(name)) : []

  async function readInventory(): Promise<void> {
    catalogue.replaceNumbers(await readNumbers(db, owner))
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
    await readMedia()
    isLoaded = true
    news.onEverything(before)
    if (isListening) unheardSince = null
    logger.info({ users: catalogue.userCount(), trunks: catalogue.trunks().length }, 'catalogue loaded')
  }

  async function readMedia(): Promise<void> {
    const servers = await readMediaServers(db)
    news.onMedia(catalogue.replaceMediaServers(servers, clock.now().getTime()))
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
      const before = catalogue.carrier(id)
      const [carrier] = await readCarriers(db, id)
      catalogue.replaceCarrier(id, carrier)
      news.onTrunk(before, carrier)
    }
    if (kind === 'routing') catalogue.replaceRules(await readRules(db))
    if (kind === 'emergency') catalogue.replaceEmergency(await readEmergencyRoute(db))
    if (kind === 'number' || kind === 'rental')
      catalogue.replaceNumber(id, (await readNumbers(db, owner, { id }))[0])
    if (kind === 'media') await readMedia()
    if (kind === 'voicemail') await news.onMessages(id)
    if (kind === 'flow') catalogue.replaceFlow(id, (await readFlows(db, owner, id))[0])
    if (kind === 'setting' && idText === INTERNAL_CALL_PRICE)
      catalogue.replaceInternalPrice(await readInternalPrice(db))
    if (kind === 'plan')
      for (const route of await readRoutes(db, { planId: id })) catalogue.replaceRoute(route.id, route)
  }

  /** A failed read is retried with the next tick. */
  function catchUp(): Promise<void> {
    working ??= work()
      .catch((error) => {
        const level = isDatabaseUnavailable(error) ? 'warn' : 'error'
        logger[level]({ err: error }, 'failed to read catalogue')
      })
      .finally(() => {
        working = null
      })
    return working
  }

  return {
    /** Called when listening starts, perhaps after a gap with missed changes. */
    onListening(): Promise<void> {
      isListening = true
      isWholeStale = true
      return catchUp()
    },
    onDeaf(): void {
      isListening = false
      unheardSince ??= clock.now().getTime()
    },
    /** Media processes are read every second, because a missing sign of life is not notified. */
    readMedia: (): Promise<void> => (isLoaded ? readMedia() : Promise.resolve()),
    onChange(name: string): Promise<void> {
      stale.add(name)
      return catchUp()
    },
    tick: (): Promise<void> => (isWholeStale || stale.size > 0 ? catchUp() : Promise.resolve()),
    isLoaded: (): boolean => isLoaded,
    isTrusted: (): boolean =>
      isLoaded && (unheardSince === null || clock.now().getTime() - unheardSince < MAX_UNHEARD_MS),
    /** Resolves when all notified changes have been read. */
    settled: (): Promise<void> => working ?? Promise.resolve(),
  }
}
