import type { ToSwitchOf } from '@trunkline/contract/switch-protocol'
import { EMERGENCY_ROUTE_ID, INTERNAL_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { carrierNumber, type Trunk } from '@trunkline/domain/routing'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, nameOf } from '../live-calls/call.ts'
import { ringingOf } from './ring-targets.ts'

type Allow = ToSwitchOf<'allow'>

type Deps = { catalogue: Catalogue; callOf: (callId: string) => Call | undefined }

/** The target of a call between customers, which requests the other customer's leg. */
export const INTERNAL_TARGET_ID = -1
/** Longer than any ring plan of one step; the other leg has its own times. */
const INTERNAL_SECONDS = 120
const UNAVAILABLE = 480

/** The answer for an admitted call. Repeated requests get the same one, whichever call control admitted it. */
export function createAllowing({ catalogue, callOf }: Deps) {
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
    const { targets, lastCode } = ringingOf(catalogue, number, { at: call.startedAt.getTime(), exceptFor })
    const offered = new Map(call.offered.map(({ id, name }) => [id, name]))
    const plan = targets
      .filter(({ id, name }) => offered.get(id) === name)
      .map(({ name: _name, ...target }) => target)
    return { plan, lastCode }
  }

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
        ...(call.callerName !== '' && { callerName: call.callerName }),
        ...(call.callerId === '' && { isPrivate: true }),
        number: call.destination,
        ...planOf(call),
        trunks: [],
      }
    if (call.routeId === INTERNAL_ROUTE_ID) {
      const next = { direction: 'in', to: call.destination } as const
      return {
        ...answer,
        ...diversionOf(call),
        plan: [{ id: INTERNAL_TARGET_ID, seconds: INTERNAL_SECONDS, next }],
        lastCode: UNAVAILABLE,
        trunks: [],
      }
    }
    return { ...answer, ...diversionOf(call), trunks: trunksOf(call) }
  }
}
