import { system } from '@trunkline/domain/access'
import { EMERGENCY_ROUTE_ID, type EndReason } from '@trunkline/domain/callcontrol'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { type Catalogue, isPhoneName } from '../../catalogue/snapshot/catalogue.ts'
import { type Call, nameOf } from './call.ts'
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

/** A switch that was told to end a call and still has it is told again. */
const TELL_AGAIN_MS = 3 * SECOND

/** Ends calls that somebody wants ended, and those of accounts that may not call any more. */
export function createHangups(deps: Deps) {
  const { db, clock, logger, calls, catalogue, isTrusted, sessionOf, announce } = deps
  const owner = system('ending calls')

  function tellSwitch(tracked: Tracked): void {
    const { call } = tracked
    const now = clock.now().getTime()
    if (tracked.toldToEndAt !== null && now - tracked.toldToEndAt < TELL_AGAIN_MS) return
    const session = sessionOf(call.switchId)
    if (!session) return
    tracked.toldToEndAt = now
    const reason = call.hangupReason ?? 'hung_up_by_admin'
    session.send({ type: 'hangup', call: nameOf(call), reason })
    logger.info({ call: call.callId, user: call.userId, reason }, 'call is told to end')
  }

  /** Who is not in the catalogue is not there yet: nobody with live calls can be deleted. */
  const isForbidden = (userId: number): boolean => {
    const user = catalogue.userById(userId)
    return user !== null && (user.isDisabled || user.guards.areCallsStopped)
  }

  /** Nobody is left to end it: the browser is not kept alive any more, or its session is over. */
  const hasLostBrowser = ({ sipAccount }: Call): boolean => {
    if (!isPhoneName(sipAccount)) return false
    const phone = catalogue.phone(sipAccount)
    return !phone || phone.expiresAt <= clock.now()
  }

  /** An emergency call is never ended for what its account may not do. */
  const whyStopped = (call: Call): EndReason | null => {
    if (call.routeId !== EMERGENCY_ROUTE_ID && isForbidden(call.userId)) return 'account_stopped'
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
      tellSwitch(tracked)
    }
  }

  return {
    /** What was asked for in the portal, told now or missed before. */
    async look(): Promise<void> {
      for (const { callId, hangupAt, reason } of await readHangups(db, owner)) {
        const tracked = calls.get(callId)
        if (!tracked?.isPlaced) continue
        if (!tracked.call.hangupAt) {
          calls.update(tracked, { hangupAt, hangupReason: reason })
          announce(tracked.call)
        }
        tellSwitch(tracked)
      }
    },

    /** Written down before the switch is told, so that the record says why. */
    async stopForbidden(): Promise<void> {
      const going = [...calls.all()].filter(({ call, isPlaced }) => isPlaced && call.hangupAt === null)
      const byReason = Map.groupBy(going, ({ call }) => whyStopped(call))
      for (const [reason, stopped] of byReason) if (reason) await stop(stopped, reason)
    },
  }
}
