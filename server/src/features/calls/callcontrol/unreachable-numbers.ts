import { refusalReasons } from '@trunkline/domain/callcontrol'
import { targetKindOf } from '@trunkline/domain/ringing'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { DAY } from '../../../platform/clock.ts'
import type { NewAlert } from '../../identity/alerts/service.ts'
import type { Attempt, NewCdr } from '../cdr/cdr-store.ts'

type Deps = { clock: Clock; logger: Logger; raise: (alert: NewAlert) => Promise<void> }

/** Calls in a row that reach nobody until the customer is alerted. */
const IN_A_ROW = 3
/** SIP codes of phones that are not registered. */
const NOT_REGISTERED: ReadonlySet<number> = new Set([404, 480])
/** SIP codes of somebody at a PBX who is busy or declined. With every other code, the PBX is down or takes no call. */
const SOMEBODY_AT_PBX: ReadonlySet<number> = new Set([486, 600, 603, 607])
/** Call control refused the leg of a forward. A leg that carriers could not complete has another text. */
const REFUSALS: ReadonlySet<string> = new Set(refusalReasons)
/** Numbers in memory; beyond it, all counts start again. */
const MAX_REMEMBERED = 10_000

type Count = { calls: number; alertedOn: number | null }

/**
 * Alerts the customer whose number rings nowhere, once per number and day. Each call control counts the calls that it settles, so with
 * several of them the alert can come a few calls later.
 */
export function createUnreachableNumbers({ clock, logger, raise }: Deps) {
  const counts = new Map<number, Count>()

  return function ended(record: NewCdr): void {
    const { direction, numberId, userId, destination } = record
    if (direction !== 'in' || numberId === null || record.status === 'refused') return
    const known = counts.get(numberId) ?? { calls: 0, alertedOn: null }
    if (reachedSomebody(record)) {
      if (known.alertedOn === null) counts.delete(numberId)
      else counts.set(numberId, { ...known, calls: 0 })
      return
    }
    // The caller hung up, perhaps before a phone was tried.
    if (record.reason !== 'no_answer') return
    if (counts.size >= MAX_REMEMBERED) counts.clear()
    const calls = known.calls + 1
    const today = Math.floor(clock.now().getTime() / DAY)
    const isDue = calls >= IN_A_ROW && known.alertedOn !== today
    counts.set(numberId, { calls, alertedOn: isDue ? today : known.alertedOn })
    if (!isDue) return
    raise({
      kind: 'unreachable_number',
      subject: `number:${numberId}`,
      userId,
      message: `The last ${calls} calls to +${destination} reached nobody, because ${causesOf(record)}. Check where the number rings.`,
      details: { number: destination },
    }).catch((error) => logger.warn({ err: error }, 'failed to store alert'))
  }
}

const reachedSomebody = ({ answeredAt, ringingAt, reason, attempts }: NewCdr): boolean =>
  answeredAt !== null ||
  ringingAt !== null ||
  reason === 'busy' ||
  attempts.some((attempt) => causeOf(attempt) === null)

const NO_PHONE = 'no phone was registered'

/** Why a target was not reached; null if it may have been. */
function causeOf({ name, code, reason }: Attempt): string | null {
  switch (targetKindOf(name)) {
    case 'devices':
      return NOT_REGISTERED.has(code) ? NO_PHONE : null
    case 'pbx':
      return SOMEBODY_AT_PBX.has(code) ? null : 'the PBX did not take the call'
    case 'forward':
      return REFUSALS.has(reason) ? 'the forwarded call was refused (check your balance and limits)' : null
    default:
      return null
  }
}

/** A plan without a target that can ring has no attempts. */
const causesOf = ({ attempts }: NewCdr): string =>
  attempts.length === 0 ? NO_PHONE : [...new Set(attempts.map(causeOf))].join(' and ')
