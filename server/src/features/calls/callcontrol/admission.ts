import { refusalCode } from '@trunkline/contract/call-reasons'
import type { FromSwitchOf, ToSwitchOf } from '@trunkline/contract/switch-protocol'
import { system } from '@trunkline/domain/access'
import { isDeviceLeg, type RefusalReason } from '@trunkline/domain/callcontrol'
import type { Trunk } from '@trunkline/domain/routing'
import type { Logger } from 'pino'
import { type Database, isDatabaseUnavailable } from '../../../platform/database.ts'
import type { Timers } from '../../../platform/timers.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, callIdOf } from '../live-calls/call.ts'
import { mediaIdOf, tokenOfLeg, tokenOfTest } from '../live-calls/media-address.ts'
import type { AddressProof } from './address-proof.ts'
import { createIncoming } from './admission-incoming.ts'
import { createMediaLegs } from './admission-media.ts'
import { createOutgoing } from './admission-outgoing.ts'
import { createAllowing } from './allowing.ts'
import type { Calls } from './calls.ts'
import { readCalls } from './calls-store.ts'
import type { Decision, Known, Question } from './decision.ts'
import { claimLeg, claimTestLeg } from './media-store.ts'
import type { Meter } from './meter.ts'
import type { Pacing } from './pacing.ts'
import { isPeerToken, type PeerLegs } from './peer-legs.ts'
import type { Placed, Placing } from './placing.ts'
import type { RecordingRequests } from './recording-requests.ts'
import type { Refusals } from './refusals.ts'
import type { Session } from './session.ts'
import type { Spending } from './spending.ts'

export type Admission = ReturnType<typeof createAdmission>

type Why = Known & { reason: RefusalReason }

/** A media process, and the token of the leg that it requests. */
type Claim = { mediaId: string; token: string }

type Deps = {
  db: Database
  timers: Timers
  logger: Logger
  catalogue: Catalogue
  /** The usable trunks of this switch. */
  trunksOn: (switchId: string) => readonly Trunk[]
  isTrusted: () => boolean
  peerLegs: PeerLegs
  calls: Calls
  spending: Spending
  pacing: Pacing
  place: Placing
  refusals: Refusals
  addressProof: AddressProof
  recordingRequests: Pick<RecordingRequests, 'admitted'>
  meter: Meter
  announce: (call: Call) => void
  sliceSeconds: number
  answerWithinMs: number
}

/** Cached decisions per generation, of two: the same request gets the same answer. */
const MAX_REMEMBERED = 5_000

/** Decides whether a call is allowed. The domain decides in memory; only the hold needs the database. */
export function createAdmission(deps: Deps) {
  const { db, timers, logger, calls, pacing, place, refusals, meter } = deps
  const owner = system('admitting calls')
  const elsewhere = deps.peerLegs.urisFor
  const decideIncoming = createIncoming({ ...deps, elsewhere })
  const decideOutgoing = createOutgoing(deps)
  /** Legs that another call control admitted, read for the legs after them. */
  const parents = new Map<string, Call>()
  const callOf = (callId: string) => calls.get(callId)?.call ?? parents.get(callId)
  const mediaLegs = createMediaLegs({ ...deps, elsewhere, decideOutgoing })
  const allowed = createAllowing({
    catalogue: deps.catalogue,
    elsewhere,
    callOf,
    targetsOfLeg: mediaLegs.planOf,
  })
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
    const mediaId = mediaIdOf(question.user ?? '')
    const token = tokenOfLeg(question.to)
    const isFirstLeg = question.parent === undefined
    const test = tokenOfTest(token ?? '')
    if (isFirstLeg && mediaId !== null && test !== null) {
      decideTestLeg(session, question, { mediaId, token: test })
      return
    }
    if (isFirstLeg && mediaId !== null && token !== null) {
      decideMediaLeg(session, question, { mediaId, token })
      return
    }
    if (isFirstLeg && isPeerToken(token)) {
      decidePeerLeg(session, question, token)
      return
    }
    if (isFirstLeg && question.direction !== 'in')
      deps.addressProof.seen(session, question.user, question.address)
    const parentId = callIdOf(session.switchId, question.parent ?? '')
    const parent = calls.get(parentId)?.call
    if (isFirstLeg || parent) decide(session, question, parent ?? null)
    else decideLater(session, question, parentId)
  }

  async function readParent(parentId: string): Promise<Call | undefined> {
    const [found] = await readCalls(db, owner, [parentId])
    if (parents.size >= MAX_REMEMBERED) parents.clear()
    if (found) parents.set(parentId, found)
    return found
  }

  /** Another call control admitted the leg before this one. */
  function decideLater(session: Session, question: Question, parentId: string): void {
    const callId = callIdOf(session.switchId, question.call)
    remember(callId, null)
    readParent(parentId).then(
      (found) => {
        refused.delete(callId)
        decide(session, question, found ?? null)
      },
      (error) => {
        logger.warn({ err: error, call: callId }, 'failed to read the leg before')
        decide(session, question, null)
      },
    )
  }

  /** A media process requests a leg of a flow. Without a valid token, the call is one of an unknown caller. */
  function decideMediaLeg(session: Session, question: Question, { mediaId, token }: Claim): void {
    const callId = callIdOf(session.switchId, question.call)
    remember(callId, null)
    const find = async () => {
      const leg = await claimLeg(db, owner, { token, mediaId, callId, now: new Date(question.at) })
      const parent = leg && (calls.get(leg.parentCallId)?.call ?? (await readParent(leg.parentCallId)))
      return parent?.userId === leg?.userId ? { leg, parent } : null
    }
    find().then(
      (found) => {
        refused.delete(callId)
        if (found?.leg && found.parent)
          act(session, question, mediaLegs.decide(session, question, found.leg, found.parent))
        else decide(session, question, null)
      },
      (error) => {
        logger.warn({ err: error, call: callId }, 'failed to read the leg of a media process')
        act(session, question, decideOutgoing(session, question, null), true)
      },
    )
  }

  /** A media process calls a number for its customer. Without a valid token, the call is one of an unknown caller. */
  function decideTestLeg(session: Session, question: Question, { mediaId, token }: Claim): void {
    const callId = callIdOf(session.switchId, question.call)
    remember(callId, null)
    claimTestLeg(db, owner, { token, mediaId, callId, now: new Date(question.at) }).then(
      (test) => {
        refused.delete(callId)
        if (!test) return decide(session, question, null)
        const asked: Question = { ...question, direction: 'in', to: test.e164 }
        act(session, asked, decideIncoming(session, asked, null, test))
      },
      (error) => {
        logger.warn({ err: error, call: callId }, 'failed to read a test call')
        act(session, question, decideOutgoing(session, question, null), true)
      },
    )
  }

  /** Another switch rings phones here. Wrong tokens have no record, because anybody can send them. */
  function decidePeerLeg(session: Session, question: Question, token: string): void {
    const callId = callIdOf(session.switchId, question.call)
    const stranger = (reason: RefusalReason) => {
      const no = refusal(question, reason)
      remember(callId, no)
      answer(session, question, no)
      meter.refusedUnrecorded(reason)
    }
    const leg = deps.peerLegs.claim(token, session, callId)
    if (!leg) {
      stranger('unknown_caller')
      return
    }
    remember(callId, null)
    const find = async () => calls.get(leg.parentCallId)?.call ?? (await readParent(leg.parentCallId))
    find().then(
      (parent) => {
        if (parent?.userId !== leg.userId) return stranger('unknown_caller')
        refused.delete(callId)
        act(session, question, mediaLegs.decidePeer(session, question, leg, parent))
      },
      (error) => {
        logger.warn({ err: error, call: callId }, 'failed to read the call of another switch')
        stranger('unavailable')
      },
    )
  }

  function decide(session: Session, question: Question, parent: Call | null): void {
    const decideLeg = question.direction === 'in' ? decideIncoming : decideOutgoing
    const isLost = question.parent !== undefined && parent === null
    act(session, question, decideLeg(session, question, parent), isLost)
  }

  /** `isLost`: the leg before could not be read. */
  function act(session: Session, question: Question, decision: Decision, isLost = false): void {
    const { known } = decision
    const isUnavailable = !deps.isTrusted() || isLost
    const failed = (error: unknown) =>
      logger.error({ err: error, call: question.call, switch: session.switchId }, 'failed to decide call')
    if (isUnavailable) refuseAtOnce(session, question, { ...known, reason: 'unavailable' })
    else if (!decision.ok) refuse(session, question, { ...known, reason: decision.reason }).catch(failed)
    else if (pacing.isTooMuch()) refuseAtOnce(session, question, { ...known, reason: 'overloaded' })
    else begin(session, question, decision).catch(failed)
  }

  /** Counts toward the rate limits from here on, whatever the decision. */
  async function begin(
    session: Session,
    question: Question,
    { call: asked, known }: Extract<Decision, { ok: true }>,
  ): Promise<void> {
    if (asked.direction === 'out' && !isDeviceLeg(asked.routeId)) calls.begin(asked.userId)
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
      if (placed.kind === 'started') {
        deps.announce(placed.call)
        deps.recordingRequests.admitted(placed.call, question)
      }
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

  const describe = (session: Session, question: Question, why: Why) => ({
    switchId: session.switchId,
    isDemo: session.isDemo,
    question,
    ...why,
  })

  return { authorize }
}

/** A caller who only claims a username does not learn about the account's state. */
const refusal = (
  { call, claimed, direction = 'out' }: Question,
  why: RefusalReason,
): ToSwitchOf<'refuse'> => {
  const reason = claimed !== undefined && why === 'account_disabled' ? 'unknown_caller' : why
  return { type: 'refuse', call, code: refusalCode(reason, direction), reason }
}
