import type { Quote } from '@trunkline/contract/pricing'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import type { Flow, ProblemContext } from '@trunkline/domain/flows'
import type { Database } from '../../../platform/database.ts'
import { listAddresses } from '../../identity/trusted-addresses/store.ts'
import { lockSounds } from '../sounds/store.ts'
import { isRecordingAllowed } from './store.ts'

export type QuoteOf = (caller: Caller, dialed: string) => Promise<Quote>

/** Refusals that a customer or the provider has to change. Others pass by themselves, such as a used-up balance. */
const LASTING: readonly Quote['reason'][] = [
  'unknown_number',
  'country_blocked',
  'high_risk_blocked',
  'no_route',
  'premium_route',
  'price_above_limit',
  'no_trunk',
  'below_cost',
]

/** Numbers of `forward` steps that cannot be called. Numbers with variables are decided by the call. */
export async function findUnreachable(
  caller: Caller,
  { steps }: Flow,
  quoteOf: QuoteOf,
): Promise<ReadonlySet<string>> {
  const written = steps.flatMap((step) => (step.kind === 'forward' ? [step.number.replace(/\D/g, '')] : []))
  const numbers = [...new Set(written)].filter((number) => number !== '')
  const unreachable = new Set<string>()
  for (const number of numbers) {
    const { reason } = await quoteOf(caller, `+${number}`)
    if (LASTING.includes(reason)) unreachable.add(number)
  }
  return unreachable
}

/** The facts about the customer's account. Sounds cannot be deleted before the transaction ends. */
export async function readProblemFacts(
  tx: Database,
  caller: Caller,
  { unreachable, canSpeak }: { unreachable: ReadonlySet<string>; canSpeak: boolean },
): Promise<ProblemContext> {
  const addresses = await listAddresses(tx, ownDataOf(caller), caller.userId)
  return {
    hasRoute: (number) => !unreachable.has(number),
    soundIds: [...(await lockSounds(tx, caller.userId))],
    trustedAddresses: addresses.filter(({ state }) => state !== 'pending').map(({ address }) => address),
    canRecord: await isRecordingAllowed(tx, caller.userId),
    canSpeak,
  }
}
