import { switchLabel } from '@trunkline/contract/switch-names'
import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import type { Trunk } from '@trunkline/domain/routing'
import type { Logger } from 'pino'
import { type Clock, earlier, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import type { TrunkTests } from '../../catalogue/trunks/tests.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Session } from './session.ts'
import { isTrunkDown, saveTrunkHealth, type TrunkReport } from './trunk-health-store.ts'

export type TrunkHealth = ReturnType<typeof createTrunkHealth>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  catalogue: Catalogue
  sessions: () => Iterable<Session>
  alerts: Pick<Alerts, 'raise' | 'close'>
  tests: Pick<TrunkTests, 'reply'>
}

/** A message may have 32,000 bytes; a host name at most 255. */
const MAX_TRUNKS = 80

/** Trunk health as reported by connected switches. A switch does not use trunks that are down for it. */
export function createTrunkHealth({ db, clock, logger, catalogue, sessions, alerts, tests }: Deps) {
  /** Trunks that are down, by switch. */
  const down = new Map<string, Set<number>>()
  /** The last list sent to each switch. */
  const sentLists = new WeakMap<Session, string>()
  /** Unsaved reports; the latest for each trunk. */
  const unwritten = new Map<string, TrunkReport>()
  let writing: Promise<void> | null = null

  /** A new list resets the switch's health data, so it is sent only after a change. */
  function sendTrunks(session: Session): void {
    const trunks = catalogue
      .trunks()
      .filter(({ isActive }) => isActive)
      .map(({ id, host, port, transport }) => ({ id, host, port, transport }))
    const list = JSON.stringify(trunks)
    if (sentLists.get(session) === list) return
    sentLists.set(session, list)
    const stillThere = new Set(trunks.map(({ id }) => id))
    for (const id of down.get(session.switchId) ?? [])
      if (!stillThere.has(id)) down.get(session.switchId)?.delete(id)
    for (let from = 0; from === 0 || from < trunks.length; from += MAX_TRUNKS)
      session.send({ type: 'trunks', clear: from === 0, trunks: trunks.slice(from, from + MAX_TRUNKS) })
  }

  async function write(): Promise<void> {
    for (const [key, report] of unwritten) {
      const isNews = await saveTrunkHealth(db, report)
      if (isNews) await updateAlert(report)
      if (unwritten.get(key) === report) unwritten.delete(key)
    }
  }

  async function updateAlert({ switchId, trunkId, isUp, code }: TrunkReport): Promise<void> {
    const subject = `trunk:${trunkId}`
    const name = catalogue.trunk(trunkId)?.name ?? `Trunk ${trunkId}`
    const what = { switch: switchId, trunk: trunkId, code }
    if (isUp) logger.info(what, 'trunk up')
    else logger.warn(what, 'trunk down')
    if (!isUp)
      await alerts.raise({
        kind: 'trunk_down',
        subject,
        userId: null,
        details: { switch: switchId, code },
        message: `${name} does not respond to ${switchLabel(switchId)} (${code}). It gets no calls until it recovers.`,
      })
    else if (!(await isTrunkDown(db, trunkId, earlier(clock.now(), MINUTE))))
      await alerts.close('trunk_down', subject)
  }

  /** A failed write is retried with the next tick. */
  function catchUp(): Promise<void> {
    writing ??= write().finally(() => {
      writing = null
    })
    return writing
  }

  return {
    greet(session: Session): void {
      if (!session.isDemo) sendTrunks(session)
    },
    onTrunks(): void {
      for (const session of sessions()) this.greet(session)
    },
    /** The switch has disconnected, so its trunk health is unknown. */
    letGo: (switchId: string): boolean => down.delete(switchId),

    /** The usable trunks of this switch. */
    usableOn(switchId: string): readonly Trunk[] {
      const dead = down.get(switchId)
      const all = catalogue.trunks()
      return dead?.size ? all.filter(({ id }) => !dead.has(id)) : all
    },

    update({ switchId }: Session, { trunk: trunkId, isUp, code, at }: FromSwitchOf<'trunk'>): void {
      const dead = down.get(switchId) ?? new Set()
      down.set(switchId, dead)
      if (isUp) dead.delete(trunkId)
      else dead.add(trunkId)
      unwritten.set(`${switchId} ${trunkId}`, { switchId, trunkId, isUp, code, at: new Date(at) })
      catchUp().catch((error) => logger.warn({ err: error }, 'failed to store trunk health'))
    },

    /** Pings a trunk on request. */
    async test(request: string, trunkId: number): Promise<void> {
      const trunk = catalogue.trunk(trunkId)
      const real = [...sessions()].filter(({ isDemo }) => !isDemo)
      if (trunk) {
        const { host, port, transport } = trunk
        for (const session of real)
          session.send({ type: 'ping', request, trunk: trunkId, host, port, transport })
      }
      await tests.reply({ request, asked: trunk ? real.length : 0 })
    },
    async tested({ switchId }: Session, { request, code, ms }: FromSwitchOf<'pinged'>): Promise<void> {
      await tests.reply({ request, switch: switchId, code, ms })
    },

    tick: (): Promise<void> => (unwritten.size > 0 ? catchUp() : Promise.resolve()),
    settled: (): Promise<void> => writing?.catch(() => {}) ?? Promise.resolve(),
  }
}
