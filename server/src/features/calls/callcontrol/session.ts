import type { FromSwitchOf, SwitchEvent, ToSwitch } from '@trunkline/contract/switch-protocol'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import { isDatabaseUnavailable } from '../../../platform/database.ts'
import type { SwitchLink } from '../../../platform/switch-link.ts'
import { callIdOf } from '../live-calls/call.ts'
import type { KnownSwitch } from './switches-store.ts'

export type Session = ReturnType<typeof createSession>

/** The switch's list of calls, and when it was requested. */
export type Listed = {
  askedAt: number
  calls: ReadonlyMap<string, FromSwitchOf<'live'>['calls'][number]>
  /** Calls that we refused before the request: the unlisted ones never started. */
  withdrawn: ReadonlySet<string>
}

type Asking = Listed & {
  request: string
  calls: Map<string, FromSwitchOf<'live'>['calls'][number]>
}

type Deps = {
  clock: Clock
  logger: Logger
  /** Unique among call controls. */
  newRequest: () => string
  /** Resolves after the commit. */
  carryOut: (session: Session, event: SwitchEvent) => Promise<void>
  /** Compares both sides; resolves to true if another comparison is needed soon. */
  compare: (session: Session, listed: Listed) => Promise<boolean>
}

/** Maximum number of events in progress. Further ones stay with the switch, which resends them. */
const MAX_PENDING = 20_000
/** IDs per `ack` message; the switch's lookup is quadratic in their number. */
const MAX_ACKS = 30
const COMPARE_EVERY_MS = 30 * SECOND
const COMPARE_AGAIN_MS = 5 * SECOND
const LIST_WITHIN_MS = 15 * SECOND

/** A connection to a switch, from hello to disconnect. */
export function createSession(link: SwitchLink, deps: Deps) {
  const { clock, logger } = deps
  const { hello } = link
  const pending = new Map<string, { event: SwitchEvent; inProgress: Promise<boolean> | null }>()
  const withdrawn = new Set<string>()
  let acks: string[] = []
  let isOpen = true
  let heardAt = clock.now()
  let asking: Asking | null = null
  let comparing: Promise<void> | null = null
  let nextCompareAt = 0
  /** Events were skipped; only a new connection delivers them again. */
  let hasLeftEvents = false
  const nowMs = () => clock.now().getTime()

  function acknowledge(id: string): void {
    if (acks.length === 0)
      setImmediate(() => {
        for (let from = 0; from < acks.length; from += MAX_ACKS)
          link.send({ type: 'ack', ids: acks.slice(from, from + MAX_ACKS) })
        acks = []
      })
    acks.push(id)
  }

  function take(event: SwitchEvent): void {
    const known = pending.get(event.id)
    if (known?.inProgress) return
    if (!known && pending.size >= MAX_PENDING) {
      hasLeftEvents = true
      return
    }
    const one: { event: SwitchEvent; inProgress: Promise<boolean> | null } = { event, inProgress: null }
    pending.set(event.id, one)
    one.inProgress = deps.carryOut(session, event).then(
      () => {
        pending.delete(event.id)
        acknowledge(event.id)
        return true
      },
      (error) => {
        one.inProgress = null
        const level = isDatabaseUnavailable(error) ? 'debug' : 'error'
        const call = 'call' in event ? callIdOf(hello.switch, event.call) : undefined
        logger[level]({ err: error, call, switch: hello.switch, event }, 'failed to handle event, retrying')
        return false
      },
    )
  }

  /** Resolves when all received events are committed. */
  async function eventsCommitted(): Promise<boolean> {
    if (hasLeftEvents) return false
    const done = await Promise.all([...pending.values()].map(({ inProgress }) => inProgress ?? false))
    return done.every(Boolean)
  }

  function ask(): void {
    if (asking || comparing || !isOpen) {
      nextCompareAt = nowMs()
      return
    }
    nextCompareAt = nowMs() + COMPARE_EVERY_MS
    asking = {
      request: deps.newRequest(),
      askedAt: nowMs(),
      calls: new Map(),
      withdrawn: new Set(withdrawn),
    }
    link.send({ type: 'list', request: asking.request })
  }

  function compareSoon(): void {
    nextCompareAt = Math.min(nextCompareAt, nowMs() + COMPARE_AGAIN_MS)
  }

  function handleList({ request, calls, last }: FromSwitchOf<'live'>): void {
    // A switch sends every message to all call controls, including replies to others.
    if (asking?.request !== request) return
    for (const call of calls) asking.calls.set(call.call, call)
    if (!last) return
    const listed = asking
    asking = null
    comparing = compare(listed).finally(() => {
      comparing = null
    })
  }

  async function compare(listed: Listed): Promise<void> {
    try {
      const isAgain = !(await eventsCommitted()) || (await deps.compare(session, listed))
      if (isAgain) compareSoon()
      for (const callId of listed.withdrawn) withdrawn.delete(callId)
    } catch (error) {
      compareSoon()
      const level = isDatabaseUnavailable(error) ? 'warn' : 'error'
      logger[level]({ err: error, switch: hello.switch }, 'failed to compare calls')
    }
  }

  const session = {
    switchId: hello.switch,
    software: hello.software,
    isDemo: hello.demo,
    sip: hello.sip,
    startedAt: new Date(hello.startedAt),
    /** The stored state of the switch at connect time, and whether the first comparison has succeeded. */
    known: null as KnownSwitch | null,
    isReady: false,

    isOpen: (): boolean => isOpen,
    heardAt: (): Date => heardAt,
    status: () => ({
      switchId: hello.switch,
      isReady: session.isReady,
      pendingEvents: pending.size,
    }),
    send(message: ToSwitch): void {
      if (isOpen) link.send(message)
    },
    /** The call was refused, but its hold was committed. It is closed unless another call control admitted it. */
    withdraw(callId: string): void {
      withdrawn.add(callId)
      ask()
    },
    ask,
    /** Schedules a comparison after another call control has disconnected, with a delay. */
    compareSoon,

    /** Called for every message of the switch. */
    markAlive(): void {
      heardAt = clock.now()
    },
    /** A part of the answer to `ask`. */
    handleList,
    /** Carries the event out and acknowledges it after the commit. */
    take,

    tick(): void {
      if (asking && nowMs() - asking.askedAt > LIST_WITHIN_MS) link.drop('no list of calls')
      for (const { event, inProgress } of pending.values()) if (!inProgress) take(event)
      if (hasLeftEvents && pending.size === 0) link.drop('too many pending events, requesting them again')
      if (nowMs() >= nextCompareAt) ask()
    },
    /** For tests and shutdown: resolves when nothing is in progress. */
    async idle(): Promise<void> {
      await Promise.all([...pending.values()].map(({ inProgress }) => inProgress))
      await comparing
    },
    close(): void {
      isOpen = false
    },
  }
  return session
}
