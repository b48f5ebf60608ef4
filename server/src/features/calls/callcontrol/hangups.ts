import { isWebPhone } from '@trunkline/contract/phone-names'
import { system } from '@trunkline/domain/access'
import {
  EMERGENCY_ROUTE_ID,
  type EndReason,
  isDeviceLeg,
  MAILBOX_ROUTE_ID,
} from '@trunkline/domain/callcontrol'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, nameOf } from '../live-calls/call.ts'
import type { Calls, Tracked } from './calls.ts'
import { readHangups, stopCalls } from './calls-store.ts'
import type { Session } from './session.ts'

export type Hangups = ReturnType<typeof createHangups>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  calls: Calls
  catalogue: Catalogue
  isTrusted: () => boolean
  sessionOf: (switchId: string) => Session | undefined
  announce: (call: Call) => void
}

/** Interval at which the hangup command is repeated while the call is live. */
const HANGUP_REPEAT_MS = 3 * SECOND

/** Ends calls with a hangup request, and calls of accounts that may no longer call. */
export function createHangups(deps: Deps) {
  const { db, clock, logger, calls, catalogue, isTrusted, sessionOf, announce } = deps
  const owner = system('ending calls')

  function sendHangup(tracked: Tracked): void {
    const { call } = tracked
    const now = clock.now().getTime()
    if (tracked.toldToEndAt !== null && now - tracked.toldToEndAt < HANGUP_REPEAT_MS) return
    const session = sessionOf(call.switchId)
    if (!session) return
    tracked.toldToEndAt = now
    const reason = call.hangupReason ?? 'hung_up_by_admin'
    session.send({ type: 'hangup', call: nameOf(call), reason })
    logger.info({ call: call.callId, user: call.userId, reason }, 'ending call')
  }

  /**
   * A user who is missing in the catalog was just created, because users with live calls cannot be deleted. Stopping all calls of an
   * account stops its outgoing calls, except those between its own devices and a media process.
   */
  const isForbidden = ({ userId, direction, routeId }: Call): boolean => {
    const user = catalogue.userById(userId)
    const isStoppable = direction === 'out' && !isDeviceLeg(routeId) && routeId !== MAILBOX_ROUTE_ID
    return user !== null && (user.isDisabled || (isStoppable && user.guards.areCallsStopped))
  }

  /** The web phone has expired or its session has ended, so the user cannot end the call. */
  const hasLostBrowser = ({ sipAccount }: Call): boolean => {
    if (!isWebPhone(sipAccount)) return false
    const phone = catalogue.phone(sipAccount)
    return !phone || phone.expiresAt <= clock.now()
  }

  /** An emergency call is never ended because of account restrictions. */
  const whyStopped = (call: Call): EndReason | null => {
    if (call.routeId !== EMERGENCY_ROUTE_ID && isForbidden(call)) return 'account_stopped'
    return isTrusted() && hasLostBrowser(call) ? 'browser_gone' : null
  }

  async function stop(stopped: readonly Tracked[], reason: EndReason): Promise<void> {
    if (stopped.length === 0) return
    const now = clock.now()
    const ids = stopped.map(({ call }) => call.callId)
    await stopCalls(db, owner, ids, reason, now)
    for (const tracked of stopped) {
      if (calls.get(tracked.call.callId) !== tracked) continue
      calls.update(tracked, { hangupAt: now, hangupReason: reason })
      announce(tracked.call)
      sendHangup(tracked)
    }
  }

  return {
    /** Reads hangup requests of the portal, including missed notifications. */
    async look(): Promise<void> {
      for (const { callId, hangupAt, reason } of await readHangups(db, owner)) {
        const tracked = calls.get(callId)
        if (!tracked?.isPlaced) continue
        if (!tracked.call.hangupAt) {
          calls.update(tracked, { hangupAt, hangupReason: reason })
          announce(tracked.call)
        }
        sendHangup(tracked)
      }
    },

    /** Stores the reason before the command is sent, so that the record contains it. */
    async stopForbidden(): Promise<void> {
      const going = [...calls.all()].filter(({ call, isPlaced }) => isPlaced && call.hangupAt === null)
      const byReason = Map.groupBy(going, ({ call }) => whyStopped(call))
      for (const [reason, stopped] of byReason) if (reason) await stop(stopped, reason)
    },
  }
}
