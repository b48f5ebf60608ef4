import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type MessageCounts, readMessageCounts } from './media-store.ts'
import { chunksOf } from './phones.ts'
import type { Session } from './session.ts'

type Deps = {
  db: Database
  logger: Logger
  catalogue: Catalogue
  isLoaded: () => boolean
  sessions: () => Iterable<Session>
}

/** A message may have 32,000 bytes; an account has at most 150. */
const MAX_ACCOUNTS = 100

/**
 * Tells switches how many messages a customer has. They notify the phones when the counts change. A switch that connects gets a complete
 * list, because messages may have been deleted while it had no connection.
 */
export function createMessageWaiting({ db, logger, catalogue, isLoaded, sessions }: Deps) {
  const owner = system('message waiting')
  let lastWork: Promise<void> = Promise.resolve()

  /** Counts are sent in the order in which they were read, so that a list does not replace newer counts. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = lastWork.then(work)
    lastWork = done.catch(() => {})
    return done
  }

  function accountsOf(counts: readonly MessageCounts[]) {
    return counts.flatMap(({ userId, unread, read }) => {
      const user = catalogue.factsById(userId)?.username
      return user === undefined ? [] : { user, new: unread, read }
    })
  }

  function sendList(session: Session, counts: readonly MessageCounts[]): void {
    const chunks = chunksOf(accountsOf(counts), MAX_ACCOUNTS)
    const last = Math.max(0, chunks.length - 1)
    for (let part = 0; part <= last; part++)
      session.send({
        type: 'messages',
        begins: part === 0,
        ends: part === last,
        accounts: chunks[part] ?? [],
      })
  }

  function greet(session: Session): void {
    if (session.isDemo || !isLoaded()) return
    inTurn(async () => sendList(session, await readMessageCounts(db, owner))).catch((error) =>
      logger.warn({ err: error }, 'failed to count messages'),
    )
  }

  return {
    /** After hello. */
    greet,
    onEverything(): void {
      for (const session of sessions()) greet(session)
    },
    onMessages: (userId: number): Promise<void> =>
      inTurn(async () => {
        const [counts = { userId, unread: 0, read: 0 }] = await readMessageCounts(db, owner, userId)
        const accounts = accountsOf([counts])
        if (accounts.length === 0) return
        for (const session of sessions()) if (!session.isDemo) session.send({ type: 'messages', accounts })
      }),
  }
}
