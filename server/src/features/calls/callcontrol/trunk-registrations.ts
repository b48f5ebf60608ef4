import { switchLabel } from '@trunkline/contract/switch-names'
import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import type { Logger } from 'pino'
import { type Clock, earlier, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Session } from './session.ts'
import {
  forgetTrunkRegistrations,
  isUnregistered,
  saveTrunkRegistration,
} from './trunk-registrations-store.ts'

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  catalogue: Catalogue
  alerts: Pick<Alerts, 'raise' | 'close'>
}

const KIND = 'trunk_unregistered'
const subjectOf = (trunkId: number) => `trunk:${trunkId}`

/** Whether switches are registered at carriers. Reports are stored one after the other, so that an alert shows the last state. */
export function createTrunkRegistrations({ db, clock, logger, catalogue, alerts }: Deps) {
  let working: Promise<void> = Promise.resolve()

  async function save(switchId: string, message: FromSwitchOf<'registration'>): Promise<void> {
    const { trunk: trunkId, isRegistered, at } = message
    if (!(await saveTrunkRegistration(db, { switchId, trunkId, isRegistered, at: new Date(at) }))) return
    const what = { switch: switchId, trunk: trunkId }
    if (isRegistered) {
      logger.info(what, 'registered at the carrier')
      if (!(await isUnregistered(db, trunkId, earlier(clock.now(), MINUTE))))
        await alerts.close(KIND, subjectOf(trunkId))
      return
    }
    logger.warn(what, 'not registered at the carrier')
    await alerts.raise({
      kind: KIND,
      subject: subjectOf(trunkId),
      userId: null,
      details: { switch: switchId },
      message: `${switchLabel(switchId)} cannot register at ${catalogue.trunk(trunkId)?.name ?? `Trunk ${trunkId}`}. Check host, username and password of the trunk.`,
    })
  }

  async function forget(): Promise<void> {
    const registering = [...catalogue.carriers()].filter(
      ({ isActive, registration }) => isActive && registration,
    )
    for (const id of await forgetTrunkRegistrations(
      db,
      registering.map(({ id }) => id),
    ))
      await alerts.close(KIND, subjectOf(id))
  }

  function enqueue(work: () => Promise<void>): void {
    working = working
      .then(work)
      .catch((error) => logger.warn({ err: error }, 'failed to store a registration at a carrier'))
  }

  return {
    update: ({ switchId }: Session, message: FromSwitchOf<'registration'>): void =>
      enqueue(() => save(switchId, message)),
    onCarriers: (): void => enqueue(forget),
    settled: (): Promise<void> => working,
  }
}
