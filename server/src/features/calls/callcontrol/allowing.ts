import type { ToSwitchOf } from '@trunkline/contract/switch-protocol'
import {
  EMERGENCY_ROUTE_ID,
  INTERNAL_ROUTE_ID,
  isDeviceLeg,
  MAILBOX_ROUTE_ID,
} from '@trunkline/domain/callcontrol'
import { carrierNumber, type Trunk } from '@trunkline/domain/routing'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, nameOf } from '../live-calls/call.ts'
import { mutesCaller } from './recording-requests.ts'
import { type Elsewhere, mediaTargets, type NamedTarget, ringingOf } from './ring-targets.ts'

type Allow = ToSwitchOf<'allow'>

type Deps = {
  catalogue: Catalogue
  elsewhere: Elsewhere
  callOf: (callId: string) => Call | undefined
  /** Targets of a leg that a flow or another switch has requested. */
  targetsOfLeg: (call: Call) => readonly NamedTarget[]
}

/** The target of a call between customers, which requests the other customer's leg. */
export const INTERNAL_TARGET_ID = -1
/** One target for each media process that may take the call. */
export const MAILBOX_TARGET_IDS = [-1, -2]
/** Longer than any ring plan of one step; the other leg has its own times. */
const INTERNAL_SECONDS = 120
const UNAVAILABLE = 480

/** The answer for an admitted call. Repeated requests get the same one, whichever call control admitted it. */
export function createAllowing({ catalogue, elsewhere, callOf, targetsOfLeg }: Deps) {
  /** Emergency numbers are sent unchanged, or as configured by the operator; trunk prefixes do not apply. */
  const numberFor = (trunk: Trunk, { routeId, destination }: Call): string =>
    routeId === EMERGENCY_ROUTE_ID
      ? (catalogue.emergency()?.sentAs ?? destination)
      : carrierNumber(trunk, destination)

  const parentOf = ({ parentCallId }: Call): Call | undefined => callOf(parentCallId ?? '')

  /** Who forwarded the call, if the called party sees the original caller. */
  function diversionOf(call: Call): Pick<Allow, 'diversion'> {
    const parent = parentOf(call)
    return parent && parent.destination !== call.callerId ? { diversion: parent.destination } : {}
  }

  const trunksOf = (call: Call): Allow['trunks'] =>
    call.offered.flatMap(({ id }) => {
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
    })

  /** Only targets that the call was admitted with: its ring plan may have changed since. */
  function planOf(call: Call): Pick<Allow, 'plan' | 'lastCode'> {
    const number = catalogue.numberById(call.numberId ?? -1)
    if (!number) return { plan: [], lastCode: UNAVAILABLE }
    const exceptFor = parentOf(call)?.sipAccount ?? null
    const { callId, switchId, startedAt } = call
    const rung = { callId, switchId, at: startedAt.getTime(), exceptFor }
    const { targets, lastCode } = ringingOf(catalogue, elsewhere, number, rung)
    const offered = new Map(call.offered.map(({ id, name }) => [id, name]))
    return { plan: withoutNames(targets.filter(({ id, name }) => offered.get(id) === name)), lastCode }
  }

  const mailboxOf = (call: Call): Allow['plan'] =>
    mediaTargets(catalogue, { kind: 'mailbox', id: call.userId, name: '' }, call).map(
      ({ name: _name, ...target }, index) => ({ id: MAILBOX_TARGET_IDS[index] ?? -1, ...target }),
    )

  const shownCaller = ({ callerId, callerName }: Call) => ({
    ...(callerName !== '' && { callerName }),
    ...(callerId === '' && { isPrivate: true }),
  })

  return function allowed(call: Call): Allow {
    const answer = {
      type: 'allow',
      call: nameOf(call),
      callerId: call.callerId,
      coveredSeconds: call.coveredSeconds,
    } as const
    if (call.direction === 'in')
      return {
        ...answer,
        ...shownCaller(call),
        number: call.destination,
        ...planOf(call),
        trunks: [],
      }
    if (call.routeId === INTERNAL_ROUTE_ID) {
      const mutes = mutesCaller(catalogue, call)
      const next = { direction: 'in', to: call.destination, ...(mutes && { mutes }) } as const
      return {
        ...answer,
        ...diversionOf(call),
        plan: [{ id: INTERNAL_TARGET_ID, seconds: INTERNAL_SECONDS, next }],
        lastCode: UNAVAILABLE,
        trunks: [],
      }
    }
    const toMedia = { ...answer, number: call.destination, lastCode: UNAVAILABLE, trunks: [] }
    if (isDeviceLeg(call.routeId))
      return { ...toMedia, ...shownCaller(call), plan: withoutNames(targetsOfLeg(call)) }
    if (call.routeId === MAILBOX_ROUTE_ID) return { ...toMedia, plan: mailboxOf(call) }
    return { ...answer, ...diversionOf(call), trunks: trunksOf(call) }
  }
}

const withoutNames = (targets: readonly NamedTarget[]): NonNullable<Allow['plan']> =>
  targets.map(({ name: _name, ...target }) => target)
