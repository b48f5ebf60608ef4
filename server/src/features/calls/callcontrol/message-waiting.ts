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

/** Tells switches how many messages a customer has. They notify the phones when the counts change. */
export function createMessageWaiting({ db, logger, catalogue, isLoaded, sessions }: Deps) {
  const owner = system('message waiting')

  function send(session: Session, counts: readonly MessageCounts[]): void {
    if (session.isDemo) return
    const accounts = counts.flatMap(({ userId, unread, read }) => {
      const user = catalogue.factsById(userId)?.username
      return user === undefined ? [] : { user, new: unread, read }
    })
    for (const chunk of chunksOf(accounts, MAX_ACCOUNTS)) session.send({ type: 'messages', accounts: chunk })
  }

  function greet(session: Session): void {
    if (session.isDemo || !isLoaded()) return
    readMessageCounts(db, owner).then(
      (counts) => send(session, counts),
      (error) => logger.warn({ err: error }, 'failed to count messages'),
    )
  }

  return {
    /** After hello. */
    greet,
    onEverything(): void {
      for (const session of sessions()) greet(session)
    },
    async onMessages(userId: number): Promise<void> {
      const [counts = { userId, unread: 0, read: 0 }] = await readMessageCounts(db, owner, userId)
      for (const session of sessions()) send(session, [counts])
    },
  }
}
