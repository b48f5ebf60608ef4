export {
  type Account,
  type AccountState,
  availableMicros,
  type CustomerAccount,
  customerAccount,
  emptyAccount,
  INTERNAL_ACCOUNTS,
  type InternalAccount,
} from './accounts.ts'
export { type ApplyResult, applyPosting, effectOn } from './apply-posting.ts'
export { type Books, emptyBooks, execute, type LedgerCommand, type Outcome } from './books.ts'
export { checkBooks } from './check-books.ts'
export type { MoneyCommand, PostingKind } from './commands.ts'
export { fingerprint, type Recognition, recognize } from './fingerprint.ts'
export {
  extendHold,
  type Hold,
  type HoldRefusal,
  type HoldResult,
  placeHold,
  releaseHold,
  settleHold,
} from './holds.ts'
export {
  balanced,
  type Entry,
  type Posting,
  type PostRefusal,
  type PostResult,
  post,
  settlementKey,
} from './posting.ts'
