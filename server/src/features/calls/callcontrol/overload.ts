import { switchLabel } from '@trunkline/contract/switch-names'
import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import type { Logger } from 'pino'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Meter } from './meter.ts'
import type { Session } from './session.ts'

type Deps = { logger: Logger; meter: Meter; raise: Alerts['raise'] }

/** Raises an alert when a switch refuses new calls because it is overloaded. */
export function createOverloadWatch({ logger, meter, raise }: Deps) {
  /** Refused calls since the start of each switch. */
  const refusedBy = new Map<string, number>()

  return async function check({ switchId }: Session, { refused = 0 }: FromSwitchOf<'alive'>): Promise<void> {
    const before = refusedBy.get(switchId)
    refusedBy.set(switchId, refused)
    // The calls that were refused before this process started are not news.
    if (before === undefined || refused <= before) return
    const count = refused - before
    meter.refusedBySwitch(count)
    logger.warn({ switch: switchId, count }, 'switch refused calls, because it is overloaded')
    await raise({
      kind: 'switch_overloaded',
      subject: `switch:${switchId}`,
      userId: null,
      message: `${switchLabel(switchId)} refuses new calls, because it is overloaded. The accounts with the most new calls are refused first.`,
      details: { switch: switchId, refused: count },
    })
  }
}
