import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import type { RefusalReason } from '@trunkline/domain/callcontrol'
import type { Call } from '../live-calls/call.ts'
import type { RefusedCall } from './records.ts'

/** An authorization request, and when it arrived. */
export type Question = FromSwitchOf<'authorize'> & { heardAtMs: number }

/** Facts of a request for the record of its refusal. */
export type Known = Pick<
  RefusedCall,
  'userId' | 'callerId' | 'number' | 'route' | 'leg' | 'sipAccount' | 'trunk'
>

/** The call as it begins, or why it is refused. The balance is checked later. */
export type Decision =
  | { ok: true; call: Call; known: Known }
  | { ok: false; reason: RefusalReason; known: Known }
