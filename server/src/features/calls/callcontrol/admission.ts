import { sipCodes } from '@trunkline/contract/call-reasons'
import type { FromSwitchOf, ToSwitchOf } from '@trunkline/contract/switch-protocol'
import {
  admit,
  admitEmergency,
  type CallUser,
  EMERGENCY_ROUTE_ID,
  type RefusalReason,
} from '@trunkline/domain/callcontrol'
import { INTERNATIONAL } from '@trunkline/domain/countries'
import { emergencyNumber, type PhoneNumber, parseNumber } from '@trunkline/domain/numbers'
import { carrierNumber, type Route, type Trunk } from '@trunkline/domain/routing'
import type { Logger } from 'pino'
import { isDatabaseUnavailable } from '../../../platform/database.ts'
import type { Timers } from '../../../platform/timers.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, callIdOf, nameOf } from '../live-calls/call.ts'
import type { AddressProof } from './address-proof.ts'
import { admittedCall } from './admitted-call.ts'
import type { Calls } from './calls.ts'
import type { Meter } from './meter.ts'
import type { Pacing } from './pacing.ts'
import type { Placed, Placing } from './placing.ts'
import type { Refusals } from './refusals.ts'
import type { Session } from './session.ts'
import type { Spending } from './spending.ts'

export type Admission = ReturnType<typeof createAdmission>

type Question = FromSwitchOf<'authorize'> & { heardAtMs: number }
/** Details of an authorization request for its record. */
type Known = { user: CallUser | null; number: PhoneNumber | null; route: Route | null }
type Why = Known & { reason: RefusalReason }

type Deps = {
  timers: Timers
  logger: Logger
  catalogue: Catalogue
  /** The usable trunks of this switch. */
  trunksOn: (switchId: string) => readonly Trunk[]
  isTrusted: () => boolean
  calls: Calls
  spending: Spending
  pacing: Pacing
  place: Placing
  refusals: Refusals
  addressProof: AddressProof
  meter: Meter
  announce: (call: Call) => void
  sliceSeconds: number
  answerWithinMs: number
}

/** Cached decisions per generation, of two: the same request gets the same answer. */
const MAX_REMEMBERED = 5_000

/** Decides whether a call is allowed. The domain decides in memory; only the hold needs the database. */
export function createAdmission(deps: Deps) {
  const { timers, logger, catalogue, calls, spending, pacing, place, refusals, meter } = deps
  /** Recent refusals; null while one is being written. */
  let refused = new Map<string, ToSwitchOf<'refuse'> | null>()
  let refusedBefore = new Map<string, ToSwitchOf<'refuse'> | null>()

  const remember = (callId: string, answer: ToSwitchOf<'refuse'> | null) => {
    if (refused.size >= MAX_REMEMBERED) {
      refusedBefore = refused
      refused = new Map()
    }
    refused.set(callId, answer)
  }

  /** The decision for a repeated request; null while it is pending. */
  function cachedAnswer(callId: string): ToSwitchOf<'allow' | 'refuse'> | null | undefined {
    const tracked = calls.get(callId)
    if (tracked) return tracked.isPlaced ? allowed(tracked.call) : null
    return refused.has(callId) ? refused.get(callId) : refusedBefore.get(callId)
  }

  function decideEmergency(user: CallUser | null, dialed: string) {
    const route = catalogue.emergency()
    return admitEmergency({
      user,
      dialed,
      route,
      country: user?.homeCountry ?? INTERNATIONAL,
      trunk: catalogue.trunk(route?.trunkId ?? -1),
      liveCalls: calls.liveOn(user?.id ?? 0, EMERGENCY_ROUTE_ID),
      sliceSeconds: deps.sliceSeconds,
    })
  }

  function decide(switchId: string, { to, call, at }: Question, { user, number }: Known) {
    const emergency = emergencyNumber(to, user?.homeCountry)
    if (emergency !== null) return decideEmergency(user, emergency)
    const userId = user?.id ?? 0
    const { live, heldMicros } = calls.useOf(userId)
    return admit({
      user,
      number,
      trunks: deps.trunksOn(switchId),
      usedOf: calls.usedOf,
      routingOf: (planId, country) => catalogue.routingFor(callIdOf(switchId, call), planId, country, at),
      liveCalls: live,
      callsThisSecond: calls.begunThisSecond(userId),
      spentTodayMicros: spending.of(userId),
      heldTodayMicros: heldMicros,
      sliceSeconds: deps.sliceSeconds,
    })
  }

  /** A disabled account has no valid credentials, so its claimed name is accepted for the refusal only. */
  function callerOf(question: Question): CallUser | null {
    const claimed = question.claimed === undefined ? null : catalogue.userByName(question.claimed)
    return catalogue.caller(question) ?? (claimed?.isDisabled ? claimed : null)
  }

  function answer(session: Session, { heardAtMs }: Question, what: ToSwitchOf<'allow' | 'refuse'>): void {
    session.send(what)
    meter.answeredQuestion(what.type, timers.elapsedMs() - heardAtMs)
  }

  function authorize(session: Session, asked: FromSwitchOf<'authorize'>): void {
    const question: Question = { ...asked, heardAtMs: timers.elapsedMs() }
    const callId = callIdOf(session.switchId, question.call)
    const before = cachedAnswer(callId)
    if (before) session.send(before)
    if (before !== undefined) return
    deps.addressProof.seen(session, question.user, question.address)

    const user = callerOf(question)
    const known: Known = { user, number: parseNumber(question.to, user?.homeCountry), route: null }
    const decision = deps.isTrusted() ? decide(session.switchId, question, known) : null
    const failed = (error: unknown) => logger.error({ err: error, call: callId }, 'failed to decide call')
    if (!decision) refuseAtOnce(session, question, { ...known, reason: 'unavailable' })
    else if (!decision.ok) {
      const { reason, route } = decision
      refuse(session, question, { ...known, reason, route }).catch(failed)
    } else {
      const why = { ...known, route: decision.terms.route }
      if (pacing.isTooMuch()) refuseAtOnce(session, question, { ...why, reason: 'overloaded' })
      else {
        const { switchId, isDemo } = session
        const user = known.user as CallUser
        const call = admittedCall({ switchId, isDemo, question, user, admitted: decision })
        begin(session, question, call, why).catch(failed)
      }
    }
  }

  /** Counts toward the rate limits from here on, whatever the decision. */
  async function begin(session: Session, question: Question, asked: Call, known: Known): Promise<void> {
    calls.begin(asked.userId)
    const tracked = calls.add(asked, false)
    let isAnswered = false
    const stop = timers.after(deps.answerWithinMs, () => {
      isAnswered = true
      answer(session, question, refusal(question, 'unavailable'))
    })
    let placed: Placed
    try {
      placed = await pacing.wait(() =>
        place(asked, ({ coveredSeconds, heldMicros }) =>
          calls.update(tracked, { coveredSeconds, heldMicros }),
        ),
      )
    } catch (error) {
      logger[isDatabaseUnavailable(error) ? 'warn' : 'error'](
        { err: error, call: asked.callId },
        'no hold was placed',
      )
      calls.remove(asked.callId)
      // The commit may have succeeded. The comparison with the switch closes such a call.
      session.compareSoon()
      return refuseAtOnce(session, question, { ...known, reason: 'unavailable' }, isAnswered)
    } finally {
      stop()
    }

    if (placed.kind === 'started' || placed.kind === 'already_live') {
      calls.remove(asked.callId)
      if (!session.isOpen()) return
      calls.add(placed.call, true)
      if (placed.kind === 'started') meter.admitted()
      if (isAnswered) return placed.kind === 'started' ? session.withdraw(asked.callId) : undefined
      answer(session, question, allowed(placed.call))
      if (placed.kind === 'started') deps.announce(placed.call)
      logger.info(
        { call: asked.callId, sip: question.sip, user: asked.userId, covered: placed.call.coveredSeconds },
        'call admitted',
      )
      return
    }
    calls.remove(asked.callId)
    // An ended call already has its record.
    if (placed.kind === 'already_ended') return answer(session, question, refusal(question, 'unavailable'))
    const reason = placed.kind === 'no_balance' ? 'no_balance' : 'overloaded'
    await refuse(session, question, { ...known, reason }, isAnswered)
  }

  /** Records the refusal before the answer, if the database responds in time. */
  async function refuse(session: Session, question: Question, why: Why, wasAnswered = false): Promise<void> {
    const callId = callIdOf(session.switchId, question.call)
    const no = refusal(question, why.reason)
    remember(callId, null)
    let isAnswered = wasAnswered
    const say = () => {
      if (!isAnswered) answer(session, question, no)
      isAnswered = true
      remember(callId, no)
    }
    const stop = timers.after(deps.answerWithinMs, say)
    const admitted = await refusals.refuse(describe(session, question, why))
    stop()
    if (!admitted || isAnswered) return say()
    refused.delete(callId)
    answer(session, question, allowed(admitted))
  }

  function refuseAtOnce(session: Session, question: Question, why: Why, wasAnswered = false): void {
    const no = refusal(question, why.reason)
    remember(callIdOf(session.switchId, question.call), no)
    if (!wasAnswered) answer(session, question, no)
    refusals.refuse(describe(session, question, why)).catch(() => {})
  }

  const describe = (session: Session, question: Question, { user, number, route, reason }: Why) => ({
    switchId: session.switchId,
    isDemo: session.isDemo,
    question,
    number,
    route,
    reason,
    userId: user?.id ?? null,
    callerId: user?.callerId ?? null,
  })

  /** Emergency numbers are sent unchanged, or as configured by the operator; trunk prefixes do not apply. */
  const numberFor = (trunk: Trunk, { routeId, destination }: Call): string =>
    routeId === EMERGENCY_ROUTE_ID
      ? (catalogue.emergency()?.sentAs ?? destination)
      : carrierNumber(trunk, destination)

  /** Repeats the answer for an admitted call, whichever call control admitted it. */
  function allowed(call: Call): ToSwitchOf<'allow'> {
    return {
      type: 'allow',
      call: nameOf(call),
      callerId: call.callerId,
      coveredSeconds: call.coveredSeconds,
      trunks: call.offered.flatMap(({ id }) => {
        const trunk = catalogue.trunk(id)
        if (!trunk) return []
        const { host, port, transport, authUsername, authPassword } = trunk
        return {
          id,
          host,
          port,
          transport,
          number: numberFor(trunk, call),
          ...(authUsername !== null && { username: authUsername }),
          ...(authPassword !== null && { password: authPassword }),
        }
      }),
    }
  }

  return { authorize }
}

/** A caller who only claims a username does not learn about the account's state. */
const refusal = ({ call, claimed }: Question, why: RefusalReason): ToSwitchOf<'refuse'> => {
  const reason = claimed !== undefined && why === 'account_disabled' ? 'unknown_caller' : why
  return { type: 'refuse', call, code: sipCodes[reason], reason }
}
