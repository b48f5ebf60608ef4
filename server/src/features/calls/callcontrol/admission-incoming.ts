import { TEST_CALL_NAME } from '@trunkline/contract/phone-names'
import { admitIncoming, INCOMING_ROUTE_ID, type InventoryNumber } from '@trunkline/domain/callcontrol'
import { ZERO } from '@trunkline/domain/money'
import { calledNumbers, callerDigits, parseNumber } from '@trunkline/domain/numbers'
import { billedBySecond } from '@trunkline/domain/rating'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import type { Carrier } from '../../catalogue/snapshot/numbers-store.ts'
import { type Call, callIdOf, type OfferedTrunk, OUTGOING } from '../live-calls/call.ts'
import type { Calls } from './calls.ts'
import type { Decision, Known, Question } from './decision.ts'
import type { TestLeg } from './media-store.ts'
import { type Elsewhere, type Ringing, ringingOf } from './ring-targets.ts'
import type { Session } from './session.ts'
import type { Spending } from './spending.ts'

type Deps = {
  catalogue: Catalogue
  elsewhere: Elsewhere
  calls: Calls
  spending: Spending
  sliceSeconds: number
}

/** The called number, and the carrier that sent the call. */
type Found = { number: InventoryNumber | null; carrier: Carrier | null }

const FREE = billedBySecond(ZERO)

/** Decides calls to our numbers: from a carrier, from another customer (`parent`), or a test call of the number's own customer. */
export function createIncoming({ catalogue, elsewhere, calls, spending, sliceSeconds }: Deps) {
  function find(question: Question, carriers: readonly Carrier[] | null): Found {
    if (carriers === null) return { number: catalogue.numberByE164(question.to) ?? null, carrier: null }
    const readings = carriers.flatMap((carrier) =>
      calledNumbers(question.to, carrier).flatMap((e164) => {
        const number = catalogue.numberByE164(e164)
        return number ? { number, carrier } : []
      }),
    )
    const fits = ({ number, carrier }: Found) => number?.trunkId === null || number?.trunkId === carrier?.id
    return readings.find(fits) ?? readings[0] ?? { number: null, carrier: carriers[0] ?? null }
  }

  /** The call came back: a leg before it, or a call that is still being forwarded, is about the same number. */
  function isLoop(number: InventoryNumber, caller: string, question: Question, parent: Call | null): boolean {
    for (let leg = parent; leg; leg = calls.get(leg.parentCallId ?? '')?.call ?? null)
      if (leg.numberId === number.id) return true
    const forwarded = calls.forwardedCalls(number.id)
    const isDiverted = question.diversion !== undefined && question.diversion !== ''
    const isOwn = caller === number.e164 || callerDigits(question.diversion ?? '', null) === number.e164
    return forwarded.some(({ callerId }) => isOwn || (callerId === caller && (caller !== '' || isDiverted)))
  }

  return function decide(
    session: Pick<Session, 'switchId' | 'isDemo'>,
    question: Question,
    parent: Call | null,
    test: TestLeg | null = null,
  ): Decision {
    const carriers = parent || test ? null : catalogue.carriersAt(question)
    const found = find(question, carriers)
    const { carrier } = found
    // The number may have another customer by now.
    const number = test && found.number?.rental?.userId !== test.userId ? null : found.number
    const owner = number?.rental ? catalogue.userById(number.rental.userId) : null
    const caller = test ? test.e164 : callerOf(question, parent, carrier)
    const use = calls.useOf(owner?.id ?? 0)
    const decision = admitIncoming({
      trunkIds: carriers?.map(({ id }) => id) ?? null,
      number,
      owner,
      liveOfNumber: number ? calls.liveOfNumber(number.id) : 0,
      liveOfOwner: use.incoming,
      hops: question.hops ?? 0,
      // A test call is always the first leg.
      isForwardedNow: !test && number !== null && isLoop(number, caller, question, parent),
      spentTodayMicros: spending.of(owner?.id ?? 0),
      heldTodayMicros: use.heldMicros,
      sliceSeconds,
    })
    const lineType = number ? (parseNumber(`+${number.e164}`)?.lineType ?? 'other') : 'other'
    const leg = {
      ...OUTGOING,
      direction: 'in',
      numberId: number?.id ?? null,
      parentCallId: parent?.callId ?? null,
      callerName: test ? TEST_CALL_NAME : parent ? '' : printable(question.fromName ?? ''),
    } as const
    const known: Known = {
      userId: decision.owner?.id ?? null,
      callerId: caller,
      number: number && { e164: number.e164, country: number.country, lineType },
      route: null,
      leg,
      sipAccount: decision.owner?.username ?? '',
      trunk: carrier && { id: carrier.id, name: carrier.name },
    }
    if (!decision.ok) return { ok: false, reason: decision.reason, known }

    const at = question.at
    const callId = callIdOf(session.switchId, question.call)
    const rung = { callId, switchId: session.switchId, at, exceptFor: parent?.sipAccount ?? null }
    const ringing = ringingOf(catalogue, elsewhere, decision.number, rung)
    const sender = decision.trunkId === null ? null : catalogue.carrier(decision.trunkId)
    const call: Call = {
      callId,
      switchId: session.switchId,
      isDemo: session.isDemo,
      userId: decision.owner.id,
      username: decision.owner.username,
      sipAccount: decision.owner.username,
      // The address of another customer is not shown to this one.
      sourceAddress: parent || test ? '' : question.address,
      device: '',
      callerId: caller,
      dialed: printable(question.to),
      destination: decision.number.e164,
      country: decision.number.country,
      lineType,
      routeId: INCOMING_ROUTE_ID,
      routeName: 'Incoming',
      planName: '',
      ratePrefix: null,
      rate: decision.rate,
      startedAt: new Date(at),
      ...leg,
      explanation: test ? `${TEST_CALL_NAME}. ${ringing.explanation}` : ringing.explanation,
      state: 'authorized',
      offered: [
        ...targetsOffered(ringing),
        ...(sender ? [{ id: sender.id, name: sender.name, buyRate: decision.buyRate }] : []),
      ],
      trunk: sender ? { id: sender.id, name: sender.name } : null,
      heldMicros: decision.wanted.holdMicros,
      coveredSeconds: decision.wanted.coveredSeconds,
      ringingAt: null,
      answeredAt: null,
      hangupAt: null,
      hangupReason: null,
    }
    return { ok: true, call, known }
  }
}

/** Digits; empty if the caller is withheld. A customer who forwards a withheld call is the caller of the next leg, and is shown. */
function callerOf(question: Question, parent: Call | null, carrier: Carrier | null): string {
  const isForwarded = parent !== null && parent.parentCallId !== null
  if (parent) return question.isPrivate && !isForwarded ? '' : parent.callerId
  return question.isPrivate ? '' : callerDigits(question.from ?? '', carrier?.country ?? null)
}

/** The cost of an incoming call is that of its carrier. Targets cost nothing themselves. */
const targetsOffered = ({ targets }: Ringing): OfferedTrunk[] =>
  targets.map(({ id, name }) => ({ id, name, buyRate: FREE }))

/** Carriers can send any bytes. PostgreSQL cannot store all of them. */
const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
