import type { Micros } from '../money/index.ts'
import { type AccountState, emptyAccount } from './accounts.ts'
import { applyPosting } from './apply-posting.ts'
import type { MoneyCommand } from './commands.ts'
import { fingerprint, recognize } from './fingerprint.ts'
import { extendHold, type Hold, type HoldResult, placeHold, releaseHold, settleHold } from './holds.ts'
import { type Posting, post } from './posting.ts'

/**
 * The whole ledger in memory. The server implements the same rules in SQL, and tests compare the two.
 */
export type Books = {
  readonly accounts: ReadonlyMap<number, AccountState>
  readonly holds: ReadonlyMap<string, Hold>
  readonly postings: ReadonlyMap<string, Posting>
  /** Fingerprints of executed money commands, by key. */
  readonly fingerprints: ReadonlyMap<string, string>
}

type HoldCommand =
  | {
      readonly kind: 'place'
      readonly holdId: string
      readonly userId: number
      readonly amountMicros: Micros
    }
  | { readonly kind: 'extend'; readonly holdId: string; readonly toMicros: Micros }
  | { readonly kind: 'settle'; readonly holdId: string; readonly costMicros: Micros }
  | { readonly kind: 'release'; readonly holdId: string }

export type LedgerCommand = MoneyCommand | HoldCommand

export type Outcome =
  | { readonly ok: true; readonly isRepeat: boolean; readonly posting: Posting | null }
  | { readonly ok: false; readonly reason: string }

export const emptyBooks: Books = {
  accounts: new Map(),
  holds: new Map(),
  postings: new Map(),
  fingerprints: new Map(),
}

/** A refusal changes nothing, so the same command can succeed later. */
export const execute = (books: Books, command: LedgerCommand): [Books, Outcome] =>
  isHoldCommand(command) ? executeHold(books, command) : executeMoney(books, command)

function executeMoney(books: Books, command: MoneyCommand): [Books, Outcome] {
  const recognition = recognize(books.fingerprints.get(command.key) ?? null, command)
  if (recognition === 'conflict') return [books, { ok: false, reason: 'key_conflict' }]
  if (recognition === 'repeat') {
    return [books, { ok: true, isRepeat: true, posting: books.postings.get(command.key) ?? null }]
  }
  const posted = post(command)
  if (!posted.ok) return [books, posted]
  const applied = applyPosting(accountOf(books, command.userId), posted.posting)
  if (!applied.ok) return [books, { ok: false, reason: applied.reason }]
  const next = {
    ...books,
    accounts: withRow(books.accounts, command.userId, applied.account),
    postings: withRow(books.postings, command.key, posted.posting),
    fingerprints: withRow(books.fingerprints, command.key, fingerprint(command)),
  }
  return [next, { ok: true, isRepeat: false, posting: posted.posting }]
}

function executeHold(books: Books, command: HoldCommand): [Books, Outcome] {
  const hold = books.holds.get(command.holdId) ?? null
  const userId = command.kind === 'place' ? command.userId : hold?.userId
  if (userId === undefined) return [books, { ok: false, reason: 'unknown_hold' }]
  const result = decideHold(accountOf(books, userId), hold, command)
  if (!result.ok) return [books, { ok: false, reason: result.reason }]
  const { account, posting, isRepeat } = result
  const next = {
    ...books,
    accounts: withRow(books.accounts, userId, account),
    holds: withRow(books.holds, command.holdId, result.hold),
    postings: posting ? withRow(books.postings, posting.key, posting) : books.postings,
  }
  return [isRepeat ? books : next, { ok: true, isRepeat, posting }]
}

function decideHold(account: AccountState, hold: Hold | null, command: HoldCommand): HoldResult {
  switch (command.kind) {
    case 'place':
      return placeHold(account, hold, command)
    case 'extend':
      return extendHold(account, hold, command.toMicros)
    case 'settle':
      return settleHold(account, hold, command.costMicros)
    case 'release':
      return releaseHold(account, hold)
  }
}

const isHoldCommand = (command: LedgerCommand): command is HoldCommand => 'holdId' in command

const accountOf = (books: Books, userId: number): AccountState =>
  books.accounts.get(userId) ?? emptyAccount(userId)

const withRow = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> =>
  new Map(map).set(key, value)
