import { add, type Micros, sum, ZERO } from '../money/index.ts'
import { type AccountState, availableMicros, customerAccount } from './accounts.ts'
import type { Hold } from './holds.ts'
import { type Posting, settlementKey } from './posting.ts'

/**
 * Every fault of the books in words; an empty list is the proof. Give `liveHoldIds` to have every open hold
 * checked against the calls that are really alive.
 */
export function checkBooks(
  accounts: readonly AccountState[],
  postings: readonly Posting[],
  holds: readonly Hold[],
  liveHoldIds: ReadonlySet<string> | null = null,
): string[] {
  return [
    ...repeatedFaults('account of user', accounts, (account) => String(account.userId)),
    ...repeatedFaults('posting', postings, (posting) => posting.key),
    ...repeatedFaults('hold', holds, (hold) => hold.holdId),
    ...postings.flatMap(postingFaults),
    ...strangerFaults(accounts, postings, holds),
    ...balanceFaults(accounts, postings, holds),
    ...holds.flatMap(holdFaults),
    ...settlementFaults(postings, holds),
    ...deadHoldFaults(holds, liveHoldIds),
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

/** A settled hold and its posting say the same; no other hold has one; no settlement stands alone. */
function settlementFaults(postings: readonly Posting[], holds: readonly Hold[]): string[] {
  const settlements = new Map(
    postings.filter((posting) => posting.kind === 'call_settlement').map((posting) => [posting.key, posting]),
  )
  const expected = new Map(holds.map((hold) => [settlementKey(hold.holdId), hold]))
  const unlike = holds.flatMap((hold) => {
    const posting = settlements.get(settlementKey(hold.holdId))
    const customer = customerAccount(hold.userId)
    const entry = posting?.entries.find((candidate) => candidate.account === customer)
    const chargedMicros = -(entry?.amountMicros ?? ZERO)
    return when(
      chargedMicros !== hold.settledMicros,
      `hold ${hold.holdId} settled ${hold.settledMicros}, its posting charged ${chargedMicros}`,
    )
  })
  const alone = [...settlements.keys()].filter((key) => !expected.has(key))
  return [...unlike, ...alone.map((key) => `settlement ${key} has no hold`)]
}

function strangerFaults(
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

const deadHoldFaults = (holds: readonly Hold[], liveHoldIds: ReadonlySet<string> | null): string[] =>
  holds
    .filter((hold) => liveHoldIds && hold.status === 'open' && !liveHoldIds.has(hold.holdId))
    .map((hold) => `hold ${hold.holdId} is open but belongs to nothing live`)

function repeatedFaults<Row>(what: string, rows: readonly Row[], nameOf: (row: Row) => string): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of rows.map(nameOf)) {
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return [...repeated].map((name) => `${what} ${name} stands twice`)
}

function totals(amounts: Iterable<readonly [string, Micros]>): Map<string, Micros> {
  const result = new Map<string, Micros>()
  for (const [name, amount] of amounts) result.set(name, add(result.get(name) ?? ZERO, amount))
  return result
}

const isCustomer = (account: string): boolean => account.startsWith('customer:')
const when = (isFault: boolean, words: string): string[] => (isFault ? [words] : [])
