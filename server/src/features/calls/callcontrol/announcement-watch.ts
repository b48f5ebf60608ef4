import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { nameOf } from '../live-calls/call.ts'
import { endOverdueAnnouncements } from '../recordings/requests-store.ts'
import type { Session } from './session.ts'

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  sessionOf: (switchId: string) => Pick<Session, 'send'> | undefined
}

/** A busy media process ends an announcement a little later. */
const GRACE_MS = 1_500
/** A media process has begun by then. In a call between customers the caller is muted from the answer on. */
const BEGINS_WITHIN_MS = 5_000
/** The switch does not confirm the command, and a repeat changes nothing. */
const TIMES = 3

/**
 * Ends announcements of dialed calls that take too long or do not begin, because their media process was killed or hangs. Until the end
 * of an announcement both sides cannot hear each other, and maybe no other media process is running.
 */
export function createAnnouncementWatch({ db, clock, logger, sessionOf }: Deps) {
  const scope = system('announcements of recordings')
  /** How often the switch was told, by call. */
  let told = new Map<string, number>()

  return async function tick(): Promise<void> {
    const overdue = await endOverdueAnnouncements(db, scope, {
      endedBefore: earlier(clock.now(), GRACE_MS),
      answeredBefore: earlier(clock.now(), BEGINS_WITHIN_MS),
    })
    const before = told
    told = new Map()
    for (const { callId, userId, switchId } of overdue) {
      const times = before.get(callId) ?? 0
      const session = times < TIMES ? sessionOf(switchId) : undefined
      session?.send({ type: 'unmute', call: nameOf({ callId, switchId }) })
      told.set(callId, session ? times + 1 : times)
      if (session && times === 0) logger.warn({ call: callId, user: userId }, 'announcement overdue')
    }
  }
}
