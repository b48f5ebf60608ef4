import { system } from '@trunkline/domain/access'
import { INTERNAL_ROUTE_ID } from '@trunkline/domain/callcontrol'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, nameOf } from '../live-calls/call.ts'
import { hasRecordingRequest, insertRecordingRequest, notifyAnswered } from '../recordings/requests-store.ts'
import type { Question } from './decision.ts'
import type { Session } from './session.ts'

export type RecordingRequests = ReturnType<typeof createRecordingRequests>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  catalogue: Catalogue
  sessionOf: (switchId: string) => Pick<Session, 'send'> | undefined
}
type Dialed = Pick<Call, 'userId' | 'direction' | 'parentCallId' | 'routeId'>

/** A longer Call-ID or tag is cut by the switch. */
const MAX_ID_LENGTH = 199

/** Whether the owner records dialed calls. Emergency calls, calls to the mailbox and legs of other calls are not recorded. */
export function recordsDialed(catalogue: Catalogue, call: Dialed): boolean {
  const isDialed = call.direction === 'out' && call.parentCallId === null
  if (!isDialed || !(call.routeId > 0 || call.routeId === INTERNAL_ROUTE_ID)) return false
  const facts = catalogue.factsById(call.userId)
  return facts?.mayRecord === true && facts.recordsDialed
}

/** A media process can get copies of audio. */
export const canRecordDialed = (catalogue: Catalogue): boolean =>
  catalogue.readyMediaServers().some(({ copiesAudio }) => copiesAudio)

/**
 * Whether the called side must not hear the caller before the announcement of the recording. Only calls between customers can be answered
 * by a browser, which would not hear the caller after it (media.cfg, MUTE_CALLER).
 */
export const mutesCaller = (catalogue: Catalogue, call: Dialed): boolean =>
  call.routeId === INTERNAL_ROUTE_ID &&
  recordsDialed(catalogue, call) &&
  canRecordDialed(catalogue) &&
  catalogue.factsById(call.userId)?.announcesRecordings === true

/** Asks the media processes to record dialed calls. A failure is logged, and the call goes on without a recording. */
export function createRecordingRequests({ db, clock, logger, catalogue, sessionOf }: Deps) {
  const scope = system('recording of dialed calls')
  const failed = (error: unknown) => logger.warn({ err: error }, 'failed to request a recording')
  const unmute = ({ callId, switchId }: Call) =>
    sessionOf(switchId)?.send({ type: 'unmute', call: nameOf({ callId, switchId }) })

  async function answered(call: Call): Promise<void> {
    if (call.routeId === INTERNAL_ROUTE_ID && !(await hasRecordingRequest(db, scope, call.callId)))
      return unmute(call)
    await notifyAnswered(db, scope)
  }

  return {
    admitted(call: Call, { sip = '', tag = '' }: Question): void {
      const isKnown = [sip, tag].every((id) => id.length > 0 && id.length <= MAX_ID_LENGTH)
      if (call.isDemo || !isKnown || !recordsDialed(catalogue, call) || !canRecordDialed(catalogue)) return
      const { callId, userId } = call
      insertRecordingRequest(db, { callId, userId, sipCallId: sip, sipTag: tag, now: clock.now() }).catch(
        failed,
      )
    },
    answered(call: Call): void {
      if (!recordsDialed(catalogue, call)) return
      answered(call).catch((error: unknown) => {
        failed(error)
        unmute(call)
      })
    },
  }
}
