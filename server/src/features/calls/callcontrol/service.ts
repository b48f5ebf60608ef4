import type { FromSwitch, FromSwitchOf } from '@trunkline/contract/switch-protocol'
import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { type Listener, listen } from '../../../platform/listen.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { ConnectToSwitch, SwitchLink } from '../../../platform/switch-link.ts'
import type { Timers } from '../../../platform/timers.ts'
import { newToken } from '../../../platform/tokens.ts'
import { createCatalogue } from '../../catalogue/snapshot/catalogue.ts'
import { readTestRequest, TEST_CHANNEL, type TrunkTests } from '../../catalogue/trunks/tests.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { type Announcer, announceLive } from '../live-calls/announcer.ts'
import type { Call } from '../live-calls/call.ts'
import { HANGUP_CHANNEL } from '../live-calls/store.ts'
import { createAddressProof } from './address-proof.ts'
import { createAdmission } from './admission.ts'
import { createCalls } from './calls.ts'
import { readSpending, readUse } from './calls-store.ts'
import { createCarrierLists } from './carrier-lists.ts'
import { createCatalogueKeeper } from './catalogue-keeper.ts'
import { createDailyLimit } from './daily-limit.ts'
import { createEvents } from './events.ts'
import { createExtension } from './extension.ts'
import { createHangups } from './hangups.ts'
import { createMediaWatch } from './media-watch.ts'
import { createMessageWaiting } from './message-waiting.ts'
import { createMeter, watchControl } from './meter.ts'
import { createOverloadWatch } from './overload.ts'
import { createPacing } from './pacing.ts'
import { createPeerLegs } from './peer-legs.ts'
import { createPhoneLists } from './phone-lists.ts'
import { createPhones } from './phones.ts'
import { createPlacing, LANES, MAX_AT_ONCE } from './placing.ts'
import { createRecordingRequests } from './recording-requests.ts'
import { createRecovery } from './recovery.ts'
import { createRefusals } from './refusals.ts'
import { createSession, type Session } from './session.ts'
import type { CallControlSettings } from './settings.ts'
import { createSettlement } from './settlement.ts'
import { createSpending } from './spending.ts'
import { createSteps, type Step } from './steps.ts'
import { forgetExpired } from './switches-store.ts'
import { createTrunkHealth } from './trunk-health.ts'
import { createTrunkRegistrations } from './trunk-registrations.ts'
import { createUnreachableNumbers } from './unreachable-numbers.ts'

export type CallControl = ReturnType<typeof createCallControl>

type Deps = {
  db: Database
  /** For the LISTEN connection. */
  databaseUrl: string
  clock: Clock
  timers: Timers
  logger: Logger
  metrics: Metrics
  ledger: Ledger
  announcer: Announcer
  alerts: Pick<Alerts, 'raise' | 'raiseWithin' | 'close'>
  trunkTests: Pick<TrunkTests, 'reply'>
  connect: ConnectToSwitch
  /** Called for each request of a switch, so that the SIP messages of the call are kept. */
  onAuthorize?: (switchId: string, question: FromSwitchOf<'authorize'>) => void
  settings: CallControlSettings
}

/**
 * Authorizes calls for switches and records them. README.md describes the behavior in failures. It has no timers of its own: `tick`
 * is called every second.
 */
export function createCallControl(deps: Deps) {
  const { db, clock, timers, logger, ledger, announcer, settings } = deps
  const { sliceSeconds, leadSeconds, answerWithinMs, deadAfterMs } = settings
  const owner = system('call control')
  const sessions = new Map<string, Session>()
  const byLink = new Map<SwitchLink, Session>()
  /** Duplicate connections to the same switch. */
  const spares = new Set<SwitchLink>()
  const connections: { close(): void }[] = []
  let listener: Listener | null = null
  let ticking: Promise<void> | null = null

  const announce = (call: Call) => announceLive(announcer, call)
  const sessionOf = (switchId: string) => sessions.get(switchId)
  const allSessions = () => sessions.values()

  const catalogue = createCatalogue(settings.callerIds)
  const keeper = createCatalogueKeeper(db, clock, logger, catalogue, {
    onEverything(before) {
      phones.onEverything(before)
      trunkHealth.onTrunks()
      carrierLists.onCarriers()
      registrations.onCarriers()
      messageWaiting.onEverything()
    },
    onUser: (before, after) => phones.onUser(before, after),
    onPhone: (before, after) => phones.onPhone(before, after),
    onTrunk(before, after) {
      trunkHealth.onTrunks()
      phones.onCarrier(before, after)
      carrierLists.onCarriers()
      registrations.onCarriers()
    },
    onMedia: (before) => phones.onMedia(before),
    onMessages: (userId) => messageWaiting.onMessages(userId),
  })
  const phones = createPhones({
    clock,
    catalogue,
    isLoaded: keeper.isLoaded,
    realm: settings.realm,
    lookUpPhone: (name) => keeper.onChange(`phone:${name}`),
    sessions: allSessions,
    raise: deps.alerts.raise,
  })
  const aboutTrunks = { db, clock, logger, catalogue, alerts: deps.alerts, sessions: allSessions }
  const trunkHealth = createTrunkHealth({ ...aboutTrunks, tests: deps.trunkTests })
  const registrations = createTrunkRegistrations(aboutTrunks)
  const carrierLists = createCarrierLists({ ...aboutTrunks, isLoaded: keeper.isLoaded })
  const { isLoaded } = keeper
  const peerLegs = createPeerLegs({ db, clock, logger, catalogue, sessions: allSessions })
  const phoneLists = createPhoneLists({ db, phones, registered: peerLegs.registered })
  const messageWaiting = createMessageWaiting({ db, logger, catalogue, isLoaded, sessions: allSessions })
  const calls = createCalls(clock)
  const spending = createSpending(clock)
  const pacing = createPacing(timers.elapsedMs, { atOnce: LANES * MAX_AT_ONCE, withinMs: answerWithinMs / 2 })
  const meter = createMeter(deps.metrics)
  const checkOverload = createOverloadWatch({ logger, meter, raise: deps.alerts.raise })
  const refusals = createRefusals({ db, clock, logger, meter, raise: deps.alerts.raise })
  const spendable = createDailyLimit(catalogue, spending)
  const settlement = createSettlement({ db, ledger, logger, calls, spending, spendable, meter, announcer })
  const addressProof = createAddressProof({ db, clock, logger, catalogue, alerts: deps.alerts })
  const recordingRequests = createRecordingRequests({ db, clock, logger, catalogue, sessionOf })
  const events = createEvents({
    db,
    clock,
    logger,
    meter,
    calls,
    catalogue,
    settlement,
    addressProof,
    registered: peerLegs.registered,
    recordingRequests,
    announce,
    onEnded: createUnreachableNumbers({ clock, logger, raise: deps.alerts.raise }),
    raise: deps.alerts.raise,
  })
  const admission = createAdmission({
    db,
    timers,
    logger,
    catalogue,
    trunksOn: trunkHealth.usableOn,
    isTrusted: keeper.isTrusted,
    peerLegs,
    calls,
    spending,
    pacing,
    refusals,
    addressProof,
    recordingRequests,
    meter,
    place: createPlacing(db, clock, pacing),
    announce,
    sliceSeconds,
    answerWithinMs,
  })
  const extendDue = createExtension({
    db,
    clock,
    logger,
    ledger,
    calls,
    spendable,
    sessionOf,
    announce,
    sliceSeconds,
    leadSeconds,
  })
  const hangups = createHangups({
    db,
    clock,
    logger,
    calls,
    catalogue,
    isTrusted: keeper.isTrusted,
    sessionOf,
    announce,
  })
  const mediaWatch = createMediaWatch({ db, clock, logger, catalogue, keeper, hangups, sessionOf })
  const recovery = createRecovery({
    db,
    clock,
    logger,
    calls,
    events,
    settlement,
    deadAfterMs,
    sessions: allSessions,
  })

  function handleMessage(session: Session, message: FromSwitch): void {
    const failed = (error: unknown) => logger.warn({ err: error, message }, 'failed to handle switch message')
    session.markAlive()
    switch (message.type) {
      case 'authorize':
        deps.onAuthorize?.(session.switchId, message)
        admission.authorize(session, message)
        break
      case 'live':
        session.handleList(message)
        break
      case 'hello': // Every new connection of a call control triggers another one.
      case 'missed':
      case 'received':
        break
      case 'alive':
        checkOverload(session, message).catch(failed)
        break
      case 'credentials':
        phones.answer(session, message).catch(failed)
        break
      case 'phones':
        phoneLists.take(session, message).catch(failed)
        break
      case 'banned':
        phones.banned(session, message).catch(failed)
        break
      case 'trunk':
        trunkHealth.update(session, message)
        break
      case 'registration':
        registrations.update(session, message)
        break
      case 'pinged':
        trunkHealth.tested(session, message).catch(failed)
        break
      default:
        session.take(message)
    }
  }

  function testTrunk(payload: string): void {
    const { request, trunk } = readTestRequest(payload)
    trunkHealth.test(request, trunk).catch((error) => logger.warn({ err: error }, 'trunk test failed'))
  }

  function open(link: SwitchLink): void {
    if (sessions.has(link.hello.switch)) {
      logger.error({ switch: link.hello.switch }, 'duplicate switch address ignored')
      spares.add(link)
      return
    }
    const session = createSession(link, {
      clock,
      logger,
      newRequest: newToken,
      carryOut: events.carryOut,
      compare: recovery.compare,
    })
    sessions.set(session.switchId, session)
    byLink.set(link, session)
    phones.greet(session)
    trunkHealth.greet(session)
    carrierLists.greet(session)
    messageWaiting.greet(session)
    peerLegs.registered.greet(session)
    session.ask()
  }

  function close(link: SwitchLink): void {
    const session = byLink.get(link)
    byLink.delete(link)
    spares.delete(link)
    if (!session) return
    session.close()
    sessions.delete(session.switchId)
    calls.letGo(session.switchId)
    trunkHealth.letGo(session.switchId)
    recovery.see(session).catch(() => {})
    for (const spare of spares)
      if (spare.hello.switch === session.switchId) spare.drop('replaces a closed connection')
  }

  const steps: Step[] = [
    { name: 'catalogue', everyMs: 0, run: keeper.tick },
    { name: 'other switches', everyMs: 0, run: peerLegs.tick },
    { name: 'events', everyMs: 0, run: async () => [...sessions.values()].map((one) => one.tick()) },
    { name: 'phones', everyMs: 0, run: async () => phones.tick() },
    { name: 'trunks', everyMs: 0, run: trunkHealth.tick },
    { name: 'extension', everyMs: 0, run: extendDue },
    { name: 'forbidden calls', everyMs: 0, run: hangups.stopForbidden },
    { name: 'hang-ups', everyMs: 3 * SECOND, run: hangups.look },
    { name: 'media', everyMs: 0, run: mediaWatch.tick },
    { name: 'refusals', everyMs: 0, run: refusals.tick },
    {
      name: 'signs of life',
      everyMs: 5 * SECOND,
      run: async () => {
        for (const session of sessions.values()) await recovery.see(session)
      },
    },
    { name: 'dead switches', everyMs: 5 * SECOND, run: recovery.closeDead },
    { name: 'use', everyMs: 5 * SECOND, run: async () => calls.setForeign(await readUse(db, owner)) },
    {
      name: 'spending',
      everyMs: 30 * SECOND,
      run: () => spending.refresh(() => readSpending(db, owner, spending.midnight())),
    },
    { name: 'legs of media', everyMs: MINUTE, run: mediaWatch.forgetLegs },
    { name: 'registrations', everyMs: MINUTE, run: () => forgetExpired(db, owner, clock.now()) },
  ]

  const runSteps = createSteps({ clock, logger, steps })

  function tick(): Promise<void> {
    ticking ??= runSteps().finally(() => {
      ticking = null
    })
    return ticking
  }

  /** Resolves when all received messages are processed. */
  async function processed(): Promise<void> {
    await keeper.settled()
    for (const session of sessions.values()) await session.idle()
    await trunkHealth.settled()
    await registrations.settled()
    await announcer.settled()
  }

  const status = () => ({
    switches: [...sessions.values()].map((session) => session.status()),
    configuredSwitches: settings.switches.length,
    liveCalls: calls.size(),
    isTrusted: keeper.isTrusted(),
    waiting: pacing.waiting(),
    refusalsWaiting: refusals.waiting(),
  })
  watchControl(deps.metrics, status)

  return {
    /** Loads the state, then connects. Failures are retried with every tick. */
    async start(): Promise<void> {
      await new Promise<void>((resolve) => {
        listener = listen({
          url: deps.databaseUrl,
          channels: {
            call_control: (name) => void keeper.onChange(name),
            [TEST_CHANNEL]: testTrunk,
            [HANGUP_CHANNEL]: () =>
              hangups.look().catch((error) => logger.warn({ err: error }, 'failed to read hangup requests')),
          },
          onListening: () => keeper.onListening().then(resolve),
          onError: (error) => {
            logger.warn({ err: error }, 'lost LISTEN connection')
            keeper.onDeaf()
            resolve()
          },
        })
      })
      await tick()
      for (const address of settings.switches)
        connections.push(
          deps.connect(address, {
            onOpen: open,
            onMessage: (link, message) => {
              const session = byLink.get(link)
              if (session) handleMessage(session, message)
            },
            onClose: close,
          }),
        )
    },
    tick,

    status,
    /** For tests: resolves when all messages so far are processed. */
    async idle(): Promise<void> {
      await listener?.caughtUp()
      await processed()
    },
    /** Disconnects from the switches first; they keep their events. */
    async close(): Promise<void> {
      for (const connection of connections) connection.close()
      await ticking
      await processed()
      for (const session of sessions.values()) session.close()
      sessions.clear()
      await listener?.close()
    },
  }
}
