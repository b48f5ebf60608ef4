import { deviceOf } from '@trunkline/contract/phone-names'
import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import type { Admitted, CallUser } from '@trunkline/domain/callcontrol'
import type { Rate } from '@trunkline/domain/rating'
import { type Call, callIdOf, OUTGOING } from '../live-calls/call.ts'

type Asked = {
  switchId: string
  isDemo: boolean
  question: FromSwitchOf<'authorize'>
  user: CallUser
  admitted: Pick<Admitted, 'terms' | 'trunks' | 'wanted'>
}

/** A call as it begins: admitted, and on no trunk yet. */
export const admittedCall = ({ switchId, isDemo, question, user, admitted }: Asked): Call => ({
  callId: callIdOf(switchId, question.call),
  switchId,
  isDemo,
  userId: user.id,
  username: user.username,
  sipAccount: question.user ?? user.username,
  sourceAddress: question.address,
  device: deviceOf(question.user, question.device),
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
  ...OUTGOING,
  state: 'authorized',
  offered: admitted.trunks.map(({ trunk, buyRate }) => ({
    id: trunk.id,
    name: trunk.name,
    buyRate: termsOf(buyRate),
  })),
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
