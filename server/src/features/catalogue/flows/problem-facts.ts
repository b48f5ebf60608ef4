import { type Caller, ownDataOf } from '@trunkline/domain/access'
import { type Flow, type ProblemContext, phoneDigits } from '@trunkline/domain/flows'
import type { Database } from '../../../platform/database.ts'
import { listAddresses } from '../../identity/trusted-addresses/store.ts'
import { lockSounds } from '../sounds/store.ts'
import { isRecordingAllowed } from './store.ts'

/** Why calls of this customer cannot be forwarded to a number. */
export type ForwardRefusal = (caller: Caller, e164: string) => Promise<'no_route' | 'no_balance' | null>

/** Numbers of `forward` steps. Numbers with variables are decided by the call. */
export const forwardNumbers = ({ steps }: Flow): readonly string[] =>
  steps.flatMap((step) => (step.kind === 'forward' ? (phoneDigits(step.number) ?? []) : []))

export type Refused = { unreachable: ReadonlySet<string>; unpaid: ReadonlySet<string> }

/** The numbers that cannot be called, and those that the balance does not cover. */
export async function findRefused(
  caller: Caller,
  numbers: readonly string[],
  forwardRefusal: ForwardRefusal,
): Promise<Refused> {
  const unreachable = new Set<string>()
  const unpaid = new Set<string>()
  for (const number of new Set(numbers)) {
    const reason = await forwardRefusal(caller, number)
    if (reason === 'no_route') unreachable.add(number)
    if (reason === 'no_balance') unpaid.add(number)
  }
  return { unreachable, unpaid }
}

/** The facts about the customer's account. Sounds cannot be deleted before the transaction ends. */
export async function readProblemFacts(
  tx: Database,
  caller: Caller,
  { unreachable, canSpeak }: Pick<Refused, 'unreachable'> & { canSpeak: boolean },
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
