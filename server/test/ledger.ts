import { type Owner, system } from '@trunkline/domain/access'
import type { LedgerCommand } from '@trunkline/domain/ledger'
import { type Micros, ZERO } from '@trunkline/domain/money'
import { type BooksReport, createBooks } from '../src/features/calls/books/check-books.ts'
import { insertUser } from '../src/features/identity/users/store.ts'
import {
  type Closing,
  createLedger,
  type Extension,
  type HoldOutcome,
  type Ledger,
  type MoneyMoves,
  type Placing,
  type PostOutcome,
} from '../src/features/money/ledger/service.ts'
import { createBatcher } from '../src/platform/batcher.ts'
import { type Database, openDatabase } from '../src/platform/database.ts'
import { createTestDatabase } from './database.ts'
import { atEnd } from './lifetime.ts'
import { createManualClock } from './manual-clock.ts'

export const systemOwner = system('test')

/** A ledger on its own database, without the rest of the portal. */
export async function createTestLedger(poolSize = 8) {
  const database = await createTestDatabase()
  const clock = createManualClock()
  const open = (): Database =>
    openDatabase({ url: database.url, poolSize, onError: () => {}, connectTimeoutMs: 60_000 })
  const db = open()
  const others: Database[] = []
  const ledger = withSingleHolds(createLedger(db, clock), db)
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
      return withSingleHolds(createLedger(other, clock), other)
    },

    async newUser(balanceMicros: Micros = ZERO): Promise<number> {
      const user = { username: `user-${++users}`, passwordHash: '', email: null }
      const { id } = await insertUser(db, user, clock.now())
      if (balanceMicros > ZERO) await topUp(id, balanceMicros)
      return id
    },
  }
}

/** Books a received payment at a given time. */
export async function pay(
  db: Database,
  userId: number,
  kind: 'top_up' | 'upgrade_purchase',
  at: string,
  amountMicros: Micros,
): Promise<void> {
  const ledger = createLedger(db, { now: () => new Date(at) })
  await ledger.post(systemOwner, { kind, key: `${kind} ${at}`, userId, amountMicros, reference: 'order' })
}

export type SingleHolds = Pick<MoneyMoves, 'post'> & {
  placeHold(owner: Owner, placing: Placing): Promise<HoldOutcome>
  extendHold(owner: Owner, extension: Extension): Promise<HoldOutcome>
  settleHold(owner: Owner, settlement: { holdId: string; costMicros: Micros }): Promise<HoldOutcome>
  releaseHold(owner: Owner, release: { holdId: string }): Promise<HoldOutcome>
}

type Run<Command> = (owner: Owner, commands: readonly Command[]) => Promise<HoldOutcome[]>

/** Commands on one hold, through the commands on many that calls use. */
function singleHolds(moves: MoneyMoves, { isBatched }: { isBatched: boolean }): SingleHolds {
  function single<Command extends { holdId: string }>(run: Run<Command>) {
    const batch = createBatcher<Command, HoldOutcome>({
      lanes: 2,
      maxSize: 100,
      run: (commands) => run(systemOwner, commands),
      keyOf: ({ holdId }) => holdId,
    })
    return async (owner: Owner, command: Command): Promise<HoldOutcome> => {
      if (isBatched && owner.userId === null) return batch(command)
      const [outcome] = await run(owner, [command])
      if (!outcome) throw new Error('command without an outcome')
      return outcome
    }
  }
  const close = single<Closing>(moves.closeHolds)
  return {
    post: moves.post,
    placeHold: single(moves.placeHolds),
    extendHold: single(moves.extendHolds),
    settleHold: close,
    releaseHold: (owner, { holdId }) => close(owner, { holdId, costMicros: null }),
  }
}

/** Outside a transaction commands of the system share batches, as those of call control do. */
export const withSingleHolds = (ledger: Ledger, db: Database) => ({
  ...ledger,
  ...singleHolds(ledger.within(db), { isBatched: true }),
  within: (handle: Database) => ({
    ...ledger.within(handle),
    ...singleHolds(ledger.within(handle), { isBatched: false }),
  }),
})

/** Runs a command of the domain's reference ledger on the real one. */
export function carryOut(moves: SingleHolds, command: LedgerCommand): Promise<PostOutcome | HoldOutcome> {
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
