import { deviceOf } from '@trunkline/contract/phone-names'
import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import {
  type Admitted,
  type CallUser,
  INTERNAL_ROUTE_ID,
  MAILBOX_ROUTE_ID,
} from '@trunkline/domain/callcontrol'
import { ZERO } from '@trunkline/domain/money'
import { billedBySecond, type Rate } from '@trunkline/domain/rating'
import { type Call, type CallFacts, callIdOf, type OfferedTrunk, type OUTGOING } from '../live-calls/call.ts'
import { INTERNAL_TARGET_ID, MAILBOX_TARGET_IDS } from './allowing.ts'

type Asked = {
  switchId: string
  isDemo: boolean
  question: FromSwitchOf<'authorize'>
  user: CallUser
  admitted: Pick<Admitted, 'terms' | 'trunks' | 'wanted'>
  leg: Pick<CallFacts, keyof typeof OUTGOING>
}

/** A call as it begins: admitted, and on no trunk yet. */
export const admittedCall = ({ switchId, isDemo, question, user, admitted, leg }: Asked): Call => ({
  callId: callIdOf(switchId, question.call),
  switchId,
  isDemo,
  userId: user.id,
  username: user.username,
  sipAccount: question.user ?? user.username,
  // A forwarded call comes from a carrier, which customers do not see.
  sourceAddress: leg.parentCallId === null ? question.address : '',
  device: leg.parentCallId === null ? deviceOf(question.user, question.device) : '',
  callerId: admitted.terms.callerId,
  dialed: question.to,
  destination: admitted.terms.number.e164,
  country: admitted.terms.number.country,
  lineType: admitted.terms.number.lineType,
  routeId: admitted.terms.route.id,
  routeName: admitted.terms.route.name,
  planName: admitted.terms.route.planName,
  ratePrefix: admitted.terms.prefix,
  rate: termsOf(admitted.terms.rate),
  startedAt: new Date(question.at),
  ...leg,
  state: 'authorized',
  offered: offeredOf(admitted),
  trunk: null,
  heldMicros: admitted.wanted.holdMicros,
  coveredSeconds: admitted.wanted.coveredSeconds,
  ringingAt: null,
  answeredAt: null,
  hangupAt: null,
  hangupReason: null,
})

/** Without the prefix of a prefix rate. */
const termsOf = ({ priceMicros, connectFeeMicros, firstIncrement, nextIncrement }: Rate): Rate => ({
  priceMicros,
  connectFeeMicros,
  firstIncrement,
  nextIncrement,
})

/** A call between customers has no trunk, but one target: the leg of the other customer. A mailbox has a target per media process. */
const offeredOf = ({ terms, trunks }: Asked['admitted']): OfferedTrunk[] => {
  const buyRate = billedBySecond(ZERO)
  if (terms.route.id === INTERNAL_ROUTE_ID)
    return [{ id: INTERNAL_TARGET_ID, name: 'Another customer', buyRate }]
  if (terms.route.id === MAILBOX_ROUTE_ID)
    return MAILBOX_TARGET_IDS.map((id) => ({ id, name: 'Voicemail', buyRate }))
  return trunks.map(({ trunk, buyRate: own }) => ({ id: trunk.id, name: trunk.name, buyRate: termsOf(own) }))
}
