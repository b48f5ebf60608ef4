import {
  admitDeviceLeg,
  type CallUser,
  FLOW_LEG_ROUTE_ID,
  INNER_LEG_ROUTE_ID,
} from '@trunkline/domain/callcontrol'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, callIdOf, OUTGOING } from '../live-calls/call.ts'
import type { createOutgoing } from './admission-outgoing.ts'
import { admittedCall } from './admitted-call.ts'
import type { Calls } from './calls.ts'
import type { Decision, Known, Question } from './decision.ts'
import type { MediaLeg } from './media-store.ts'
import type { PeerLeg } from './peer-legs.ts'
import { type Elsewhere, type NamedTarget, targetsOf } from './ring-targets.ts'
import type { Session } from './session.ts'

type Deps = {
  catalogue: Catalogue
  elsewhere: Elsewhere
  calls: Calls
  decideOutgoing: ReturnType<typeof createOutgoing>
  sliceSeconds: number
}

/** Targets of legs in memory, for repeated requests. */
const MAX_REMEMBERED = 5_000

/** The switch of the call cancels this leg when its own time is over. */
const PEER_SECONDS = 300

/** A leg to the customer's own devices. */
type DeviceLeg = {
  userId: number
  routeId: typeof FLOW_LEG_ROUTE_ID | typeof INNER_LEG_ROUTE_ID
  targets: readonly NamedTarget[]
  explanation: string
}

/**
 * Decides the legs that a media process requests for a flow or a recorded call, to a number or to the customer's own devices; and those that
 * another switch requests, to the customer's devices here.
 */
export function createMediaLegs({ catalogue, elsewhere, calls, decideOutgoing, sliceSeconds }: Deps) {
  const plans = new Map<string, readonly NamedTarget[]>()

  /** Legs before this one. */
  function hopsAfter(parent: Call): number {
    let hops = 1
    for (let leg = calls.get(parent.parentCallId ?? ''); leg; leg = calls.get(leg.call.parentCallId ?? ''))
      hops++
    return hops
  }

  function toDevices(session: Session, question: Question, leg: DeviceLeg, parent: Call): Decision {
    const { switchId, isDemo } = session
    const { routeId, targets, explanation } = leg
    const user = catalogue.userById(leg.userId)
    const { destination: e164, country, callerId, callerName } = parent
    const admitted = admitDeviceLeg(user, { routeId, e164, country, callerId, sliceSeconds })
    const callId = callIdOf(switchId, question.call)
    const facts = { ...OUTGOING, parentCallId: parent.callId, callerName, explanation }
    const known: Known = {
      userId: leg.userId,
      callerId,
      number: { e164, country, lineType: 'other' },
      route: null,
      leg: facts,
      sipAccount: user?.username ?? '',
      trunk: null,
    }
    if (!admitted.ok) return { ok: false, reason: admitted.reason, known }
    const asked = { ...question, user: parent.username, to: e164 }
    const call: Call = {
      ...admittedCall({
        switchId,
        isDemo,
        question: asked,
        user: user as CallUser,
        admitted,
        leg: facts,
      }),
      offered: targets.map(({ id, name }) => ({ id, name, buyRate: admitted.terms.rate })),
    }
    if (plans.size >= MAX_REMEMBERED) plans.clear()
    plans.set(callId, targets)
    return { ok: true, call, known }
  }

  function toOwnDevices(session: Session, question: Question, leg: MediaLeg, parent: Call): Decision {
    const { switchId } = session
    const { userId } = leg
    const callId = callIdOf(switchId, question.call)
    // A customer who calls an own number does not ring the own phone.
    const exceptFor = leg.isOfRingPlan
      ? (calls.get(parent.parentCallId ?? '')?.call.sipAccount ?? null)
      : null
    const rung = { callId, switchId, at: question.at, exceptFor, userId, e164: parent.destination }
    const { targets, skipped } = targetsOf(catalogue, elsewhere, [leg.destination], rung)
    const explanation = `Rung by ${nameOf(leg)}.${skipped}`
    const routeId = leg.isOfRingPlan ? INNER_LEG_ROUTE_ID : FLOW_LEG_ROUTE_ID
    return toDevices(session, question, { userId, routeId, targets, explanation }, parent)
  }

  return {
    /** Never to another switch again. */
    decidePeer(session: Session, question: Question, { userId, devices }: PeerLeg, parent: Call): Decision {
      const username = catalogue.factsById(userId)?.username ?? ''
      const browsers = devices === 'p' ? [] : catalogue.browsersOf(userId, question.at)
      const phones = devices === 'b' ? browsers : [username, ...browsers]
      const targets = [{ id: -1, name: 'Phones at this switch', seconds: PEER_SECONDS, phones }]
      const explanation = 'Rings the phones that are registered at this switch.'
      return toDevices(
        session,
        question,
        { userId, routeId: INNER_LEG_ROUTE_ID, targets, explanation },
        parent,
      )
    },
    decide(session: Session, question: Question, leg: MediaLeg, parent: Call): Decision {
      const { destination } = leg
      if (destination.kind !== 'number') return toOwnDevices(session, question, leg, parent)
      const forwarded = {
        ...question,
        user: parent.username,
        to: destination.number,
        hops: hopsAfter(parent),
      }
      if (leg.isOfRingPlan) return decideOutgoing(session, forwarded, parent)
      const showsCaller = destination.callerId === 'caller' && parent.callerId !== ''
      return decideOutgoing(session, forwarded, parent, {
        forwardedAs: showsCaller ? parent.callerId : parent.destination,
        explanation: `Forwarded by ${nameOf(leg)}.`,
      })
    },
    planOf: ({ callId }: Call): readonly NamedTarget[] => plans.get(callId) ?? [],
  }
}

function nameOf({ flowName, isOfRingPlan }: MediaLeg): string {
  if (isOfRingPlan) return 'the ring plan'
  return flowName === null ? 'a flow' : `flow ${flowName}`
}
