import { system } from '@trunkline/domain/access'
import type { LedgerCommand } from '@trunkline/domain/ledger'
import { type Micros, ZERO } from '@trunkline/domain/money'
import { type BooksReport, createBooks } from '../src/features/calls/books/check-books.ts'
import { insertUser } from '../src/features/identity/users/store.ts'
import {
  createLedger,
  type HoldOutcome,
  type MoneyMoves,
  type PostOutcome,
} from '../src/features/money/ledger/service.ts'
import { type Database, openDatabase } from '../src/platform/database.ts'
import { createTestDatabase } from './database.ts'
import { atEnd } from './lifetime.ts'
import { createManualClock } from './manual-clock.ts'

export const systemOwner = system('test')

/** A ledger on its own database, without the rest of the portal. */
export async function createTestLedger(poolSize = 8) {
  const database = await createTestDatabase()
  const clock = createManualClock()
  const open = (): Database => openDatabase({ url: database.url, poolSize, onError: () => {} })
  const db = open()
  const others: Database[] = []
  const ledger = createLedger(db, clock)
  const books = createBooks(db, clock)
  let users = 0
  let keys = 0
  atEnd(async () => {
    for (const handle of [db, ...others]) await handle.destroy()
    await database.drop()
  })

  const topUp = (userId: number, amountMicros: Micros): Promise<PostOutcome> => {
    const key = `test top-up ${++keys}`
    return ledger.post(systemOwner, { kind: 'top_up', key, userId, amountMicros, reference: 'order' })
  }

  return {
    db,
    url: database.url,
    clock,
    ledger,
    books,
    topUp,

    /** A second ledger on the same database, with its own connections and batches. */
    anotherLedger() {
      const other = open()
      others.push(other)
      return createLedger(other, clock)
    },

    async newUser(balanceMicros: Micros = ZERO): Promise<number> {
      const user = { username: `user-${++users}`, passwordHash: '', email: null }
      const { id } = await insertUser(db, user, clock.now())
      if (balanceMicros > ZERO) await topUp(id, balanceMicros)
      return id
    },
  }
}

/** Runs a command of the domain's reference ledger on the real one. */
export function carryOut(moves: MoneyMoves, command: LedgerCommand): Promise<PostOutcome | HoldOutcome> {
  switch (command.kind) {
    case 'place':
      return moves.placeHold(systemOwner, command)
    case 'extend':
      return moves.extendHold(systemOwner, command)
    case 'settle':
      return moves.settleHold(systemOwner, command)
    case 'release':
      return moves.releaseHold(systemOwner, command)
    default:
      return moves.post(systemOwner, command)
  }
}

export const faultsOf = (report: BooksReport): string[] => report.checks.flatMap(({ faults }) => faults)
