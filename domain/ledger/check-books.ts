import { add, type Micros, sum, ZERO } from '../money/index.ts'
import { type AccountState, availableMicros, customerAccount } from './accounts.ts'
import type { Hold } from './holds.ts'
import { type Posting, settlementKey } from './posting.ts'

/**
 * Returns a message for each fault; an empty list means the books are consistent. With `liveHoldIds`, every
 * open hold must belong to a live call.
 */
export function checkBooks(
  accounts: readonly AccountState[],
  postings: readonly Posting[],
  holds: readonly Hold[],
  liveHoldIds: ReadonlySet<string> | null = null,
): string[] {
  return [
    ...duplicateFaults('account of user', accounts, (account) => String(account.userId)),
    ...duplicateFaults('posting', postings, (posting) => posting.key),
    ...duplicateFaults('hold', holds, (hold) => hold.holdId),
    ...postings.flatMap(postingFaults),
    ...unknownAccountFaults(accounts, postings, holds),
    ...balanceFaults(accounts, postings, holds),
    ...holds.flatMap(holdFaults),
    ...settlementFaults(postings, holds),
    ...orphanedHoldFaults(holds, liveHoldIds),
  ]
}

function postingFaults(posting: Posting): string[] {
  const { key, entries } = posting
  const total = sum(entries.map((entry) => entry.amountMicros))
  return [
    ...when(total !== ZERO, `posting ${key} sums to ${total}, not to zero`),
    ...when(entries.length < 2, `posting ${key} has fewer than two entries`),
    ...when(
      entries.some((entry) => entry.amountMicros === ZERO),
      `posting ${key} has an entry of zero`,
    ),
    ...when(
      new Set(entries.map((entry) => entry.account)).size < entries.length,
      `posting ${key} names an account twice`,
    ),
    ...when(
      entries.some(({ account }) => isCustomer(account) && account !== customerAccount(posting.userId)),
      `posting ${key} of user ${posting.userId} touches another customer`,
    ),
    ...when(posting.kind === 'adjustment' && !posting.reason, `adjustment ${key} has no reason`),
  ]
}

function balanceFaults(
  accounts: readonly AccountState[],
  postings: readonly Posting[],
  holds: readonly Hold[],
): string[] {
  const entries = postings.flatMap((posting) => posting.entries)
  const posted = totals(entries.map((entry) => [entry.account, entry.amountMicros]))
  const open = holds.filter((hold) => hold.status === 'open')
  const held = totals(open.map((hold) => [customerAccount(hold.userId), hold.amountMicros]))
  return accounts.flatMap((account) => {
    const name = customerAccount(account.userId)
    const postedMicros = posted.get(name) ?? ZERO
    const heldMicros = held.get(name) ?? ZERO
    return [
      ...when(
        account.balanceMicros !== postedMicros,
        `${name} has a balance of ${account.balanceMicros}, its postings sum to ${postedMicros}`,
      ),
      ...when(
        account.heldMicros !== heldMicros,
        `${name} has ${account.heldMicros} held, its open holds sum to ${heldMicros}`,
      ),
      ...when(availableMicros(account) < ZERO, `${name} has ${availableMicros(account)} available`),
    ]
  })
}

function holdFaults(hold: Hold): string[] {
  const { holdId, amountMicros, placedMicros, settledMicros, status } = hold
  return [
    ...when(placedMicros <= ZERO, `hold ${holdId} was placed with ${placedMicros}`),
    ...when(amountMicros < placedMicros, `hold ${holdId} shrank from ${placedMicros} to ${amountMicros}`),
    ...when(settledMicros < ZERO, `hold ${holdId} settled ${settledMicros}`),
    ...when(settledMicros > amountMicros, `hold ${holdId} of ${amountMicros} settled ${settledMicros}`),
    ...when(
      status !== 'settled' && settledMicros !== ZERO,
      `hold ${holdId} is ${status} but settled ${settledMicros}`,
    ),
  ]
}

/** A settled hold and its posting have the same amount. Other holds have no posting, and each settlement has a hold. */
function settlementFaults(postings: readonly Posting[], holds: readonly Hold[]): string[] {
  const settlements = new Map(
    postings.filter((posting) => posting.kind === 'call_settlement').map((posting) => [posting.key, posting]),
  )
  const expected = new Map(holds.map((hold) => [settlementKey(hold.holdId), hold]))
  const mismatched = holds.flatMap((hold) => {
    const posting = settlements.get(settlementKey(hold.holdId))
    const customer = customerAccount(hold.userId)
    const entry = posting?.entries.find((candidate) => candidate.account === customer)
    const chargedMicros = -(entry?.amountMicros ?? ZERO)
    return when(
      chargedMicros !== hold.settledMicros,
      `hold ${hold.holdId} settled ${hold.settledMicros}, its posting charged ${chargedMicros}`,
    )
  })
  const orphaned = [...settlements.keys()].filter((key) => !expected.has(key))
  return [...mismatched, ...orphaned.map((key) => `settlement ${key} has no hold`)]
}

function unknownAccountFaults(
  accounts: readonly AccountState[],
  postings: readonly Posting[],
  holds: readonly Hold[],
): string[] {
  const known = new Set<string>(accounts.map((account) => customerAccount(account.userId)))
  const named = [
    ...postings.flatMap((posting) => posting.entries.map((entry) => entry.account).filter(isCustomer)),
    ...holds.map((hold) => customerAccount(hold.userId)),
  ]
  return [...new Set(named)].filter((name) => !known.has(name)).map((name) => `${name} has no account`)
}

const orphanedHoldFaults = (holds: readonly Hold[], liveHoldIds: ReadonlySet<string> | null): string[] =>
  holds
    .filter((hold) => liveHoldIds && hold.status === 'open' && !liveHoldIds.has(hold.holdId))
    .map((hold) => `hold ${hold.holdId} is open but belongs to no live call`)

function duplicateFaults<Row>(label: string, rows: readonly Row[], nameOf: (row: Row) => string): string[] {
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  for (const name of rows.map(nameOf)) {
    if (seen.has(name)) duplicates.add(name)
    seen.add(name)
  }
  return [...duplicates].map((name) => `${label} ${name} exists twice`)
}

function totals(amounts: Iterable<readonly [string, Micros]>): Map<string, Micros> {
  const result = new Map<string, Micros>()
  for (const [name, amount] of amounts) result.set(name, add(result.get(name) ?? ZERO, amount))
  return result
}

const isCustomer = (account: string): boolean => account.startsWith('customer:')
const when = (isFault: boolean, message: string): string[] => (isFault ? [message] : [])
