import {
  admit,
  admitEmergency,
  admitInternal,
  admitMailbox,
  type CallUser,
  EMERGENCY_ROUTE_ID,
  type InventoryNumber,
  MAILBOX_NUMBER,
} from '@trunkline/domain/callcontrol'
import { INTERNATIONAL } from '@trunkline/domain/countries'
import { calledNumbers, emergencyNumber, type PhoneNumber, parseNumber } from '@trunkline/domain/numbers'
import { targetsAt } from '@trunkline/domain/ringing'
import type { Trunk } from '@trunkline/domain/routing'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, callIdOf, OUTGOING } from '../live-calls/call.ts'
import { admittedCall } from './admitted-call.ts'
import type { Calls } from './calls.ts'
import type { Decision, Known, Question } from './decision.ts'
import { canRecordDialed, recordsDialed } from './recording-requests.ts'
import type { Session } from './session.ts'
import type { Spending } from './spending.ts'

type Deps = {
  catalogue: Catalogue
  /** The usable trunks of this switch. */
  trunksOn: (switchId: string) => readonly Trunk[]
  calls: Calls
  spending: Spending
  sliceSeconds: number
}

/** How a flow forwards a call. */
type ByFlow = { forwardedAs: string; explanation: string }

/** The number and account of an outgoing call. `called` is set if it is one of our numbers. */
type Dialed = {
  user: CallUser | null
  number: PhoneNumber | null
  called: InventoryNumber | null
  /** Caller ID of a forwarded call. */
  forwardedAs: string | undefined
}

/** Decides outgoing calls: of customers, and forwarded ones (`parent` is the incoming call). */
export function createOutgoing({ catalogue, trunksOn, calls, spending, sliceSeconds }: Deps) {
  function decideEmergency(user: CallUser | null, dialed: string) {
    const route = catalogue.emergency()
    return admitEmergency({
      user,
      dialed,
      route,
      country: user?.homeCountry ?? INTERNATIONAL,
      trunk: catalogue.trunk(route?.trunkId ?? -1),
      liveCalls: calls.liveOn(user?.id ?? 0, EMERGENCY_ROUTE_ID),
      sliceSeconds,
    })
  }

  function decideMailbox(user: CallUser | null) {
    const userId = user?.id ?? 0
    return admitMailbox({
      user,
      country: user?.homeCountry ?? INTERNATIONAL,
      liveCalls: calls.useOf(userId).live,
      callsThisSecond: calls.begunThisSecond(userId),
      isMediaAlive: catalogue.readyMediaServers().length > 0,
      sliceSeconds,
    })
  }

  function admission(
    switchId: string,
    { to, call, at, hops = 0 }: Question,
    dialed: Dialed,
    parent: Call | null,
  ) {
    const { user, number, called, forwardedAs } = dialed
    const emergency = parent ? null : emergencyNumber(to, user?.homeCountry)
    if (emergency !== null) return decideEmergency(user, emergency)
    if (!parent && to === MAILBOX_NUMBER) return decideMailbox(user)
    const userId = user?.id ?? 0
    const { live, heldMicros } = calls.useOf(userId)
    const request = {
      user,
      liveCalls: live,
      callsThisSecond: calls.begunThisSecond(userId),
      spentTodayMicros: spending.of(userId),
      heldTodayMicros: heldMicros,
      sliceSeconds,
      hops,
      forwardedAs,
    }
    if (called && number)
      return admitInternal({ ...request, called, number, priceMicros: catalogue.internalPriceMicros() })
    return admit({
      ...request,
      number,
      trunks: trunksOn(switchId),
      usedOf: calls.usedOf,
      routingOf: (planId, country) => catalogue.routingFor(callIdOf(switchId, call), planId, country, at),
    })
  }

  /** A disabled account has no valid credentials, so its claimed name is accepted for the refusal only. */
  function callerOf(question: Question): CallUser | null {
    const claimed = question.claimed === undefined ? null : catalogue.userByName(question.claimed)
    return catalogue.caller(question) ?? (claimed?.isDisabled ? claimed : null)
  }

  /** The customer who forwards the call. */
  function forwarderOf({ user }: Question, parent: Call): CallUser | null {
    const forwarder = user === undefined ? null : catalogue.userByName(user)
    return parent.direction === 'in' && forwarder?.id === parent.userId ? forwarder : null
  }

  /** The called party sees the rented number, or the caller if the ring plan says so and the caller is known. */
  function forwardedAs({ to }: Question, parent: Call): string {
    const rental = catalogue.numberById(parent.numberId ?? -1)?.rental
    const { destinations } = rental
      ? targetsAt(rental.ringPlan, parent.startedAt.getTime())
      : { destinations: [] }
    const showsCaller = destinations.some(
      (one) => one.kind === 'number' && one.number === to && one.callerId === 'caller',
    )
    return showsCaller && parent.callerId !== '' ? parent.callerId : parent.destination
  }

  function dial(question: Question, parent: Call | null, byFlow: ByFlow | null): Dialed {
    const user = parent ? forwarderOf(question, parent) : callerOf(question)
    // A ring plan has international numbers; callers can type a number into a flow.
    const country = parent && !byFlow ? null : (user?.homeCountry ?? null)
    const parsed = parseNumber(question.to, country)
    const readings = parsed ? [parsed.e164] : calledNumbers(question.to, { prefix: '', country })
    const called = readings.map(catalogue.numberByE164).find((number) => number !== undefined) ?? null
    const number = parsed ?? (called && numberOf(called))
    const shown = byFlow?.forwardedAs ?? (parent ? forwardedAs(question, parent) : undefined)
    return { user, number, called, forwardedAs: shown }
  }

  return function decide(
    session: Session,
    question: Question,
    parent: Call | null,
    byFlow: ByFlow | null = null,
  ): Decision {
    const dialed = dial(question, parent, byFlow)
    const { user, number } = dialed
    const admitted = admission(session.switchId, question, dialed, parent)
    const leg = {
      ...OUTGOING,
      parentCallId: parent?.callId ?? null,
      explanation: byFlow?.explanation ?? explanationOf(dialed, parent),
    }
    const known: Known = {
      userId: user?.id ?? null,
      callerId: dialed.forwardedAs ?? user?.callerId ?? null,
      number,
      route: admitted.ok ? admitted.terms.route : admitted.route,
      leg,
      sipAccount: question.user ?? question.claimed ?? '',
      trunk: null,
    }
    if (!admitted.ok) return { ok: false, reason: admitted.reason, known }
    const { switchId, isDemo } = session
    const call = admittedCall({ switchId, isDemo, question, user: user as CallUser, admitted, leg })
    if (!recordsDialed(catalogue, call) || canRecordDialed(catalogue)) return { ok: true, call, known }
    const explanation = `${call.explanation} ${NOT_RECORDED}`.trim()
    return { ok: true, call: { ...call, explanation }, known }
  }
}

const explanationOf = ({ called }: Dialed, parent: Call | null): string => {
  if (parent) return `Forwarded from +${parent.destination}.`
  return called ? INTERNAL : ''
}

const NOT_RECORDED = 'It is not recorded, because no media process can record it.'

const INTERNAL = 'The number belongs to this service, so no carrier was needed.'

const numberOf = ({ e164, country }: InventoryNumber): PhoneNumber => ({
  e164,
  country,
  lineType: 'other',
  isHighRisk: false,
})
