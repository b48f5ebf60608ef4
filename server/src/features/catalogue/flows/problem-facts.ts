import { type Caller, ownDataOf } from '@trunkline/domain/access'
import { type Flow, type ProblemContext, phoneDigits } from '@trunkline/domain/flows'
import type { Database } from '../../../platform/database.ts'
import { listAddresses } from '../../identity/trusted-addresses/store.ts'
import { lockSounds } from '../sounds/store.ts'
import { isRecordingAllowed } from './store.ts'

/** Whether calls of this customer can be forwarded to a number. */
export type CanForward = (caller: Caller, e164: string) => Promise<boolean>

/** Numbers of `forward` steps that cannot be called. Numbers with variables are decided by the call. */
export async function findUnreachable(
  caller: Caller,
  { steps }: Flow,
  canForward: CanForward,
): Promise<ReadonlySet<string>> {
  const numbers = steps.flatMap((step) => (step.kind === 'forward' ? [phoneDigits(step.number)] : []))
  const unreachable = new Set<string>()
  for (const number of new Set(numbers))
    if (number !== null && !(await canForward(caller, number))) unreachable.add(number)
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
