import type { FromSwitch, FromSwitchOf, SwitchEvent, ToSwitch } from '@trunkline/contract/switch-protocol'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import { isDatabaseUnavailable } from '../../../platform/database.ts'
import type { SwitchLink } from '../../../platform/switch-link.ts'
import { callIdOf } from './call.ts'
import type { KnownSwitch } from './switches-store.ts'

export type Session = ReturnType<typeof createSession>

/** What the switch said of its calls, and when it was asked. */
export type Listed = {
  askedAt: number
  calls: ReadonlyMap<string, FromSwitchOf<'live'>['calls'][number]>
  /** Refused by us before the question: those of them that are not listed never came to be. */
  withdrawn: ReadonlySet<string>
}

type Asking = Listed & {
  request: string
  calls: Map<string, FromSwitchOf<'live'>['calls'][number]>
}

/** What is not a call. */
export type BesidesCalls = FromSwitchOf<'credentials' | 'pinged' | 'trunk' | 'banned'>

type Deps = {
  clock: Clock
  logger: Logger
  /** Unlike any other call control's. */
  newRequest: () => string
  authorize: (session: Session, question: FromSwitchOf<'authorize'>) => void
  /** Resolves once it is committed. */
  carryOut: (session: Session, event: SwitchEvent) => Promise<void>
  /** What is not a call: phones and trunks. */
  besides: (session: Session, message: BesidesCalls) => void
  /** Both sides compared; true when that has to be done again soon. */
  compare: (session: Session, listed: Listed) => Promise<boolean>
}

/** Events that wait for the database. More are left to the switch, which keeps them all. */
const MAX_PENDING = 20_000
/** In one message: a switch looks for each from the beginning. */
const MAX_ACKS = 30
const COMPARE_EVERY_MS = 30 * SECOND
const COMPARE_AGAIN_MS = 5 * SECOND
const LIST_WITHIN_MS = 15 * SECOND

/** One connection to one switch, from its hello to its loss. */
export function createSession(link: SwitchLink, deps: Deps) {
  const { clock, logger } = deps
  const { hello } = link
  const pending = new Map<string, { event: SwitchEvent; underWay: Promise<boolean> | null }>()
  const withdrawn = new Set<string>()
  let acks: string[] = []
  let isOpen = true
  let heardAt = clock.now()
  let asking: Asking | null = null
  let comparing: Promise<void> | null = null
  let nextCompareAt = 0
  /** Events were left to the switch: only a new connection brings them again. */
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
    if (known?.underWay) return
    if (!known && pending.size >= MAX_PENDING) {
      hasLeftEvents = true
      return
    }
    const one: { event: SwitchEvent; underWay: Promise<boolean> | null } = { event, underWay: null }
    pending.set(event.id, one)
    one.underWay = deps.carryOut(session, event).then(
      () => {
        pending.delete(event.id)
        acknowledge(event.id)
        return true
      },
      (error) => {
        one.underWay = null
        const level = isDatabaseUnavailable(error) ? 'debug' : 'error'
        const call = 'call' in event ? callIdOf(hello.switch, event.call) : undefined
        logger[level]({ err: error, call, switch: hello.switch, event }, 'an event waits to be carried out')
        return false
      },
    )
  }

  /** All that was heard so far is committed. */
  async function eventsCommitted(): Promise<boolean> {
    if (hasLeftEvents) return false
    const done = await Promise.all([...pending.values()].map(({ underWay }) => underWay ?? false))
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

  function hearList({ request, calls, last }: FromSwitchOf<'live'>): void {
    // What the switch says, every call control hears, also the answers to others.
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
      logger[level]({ err: error, switch: hello.switch }, 'calls could not be compared')
    }
  }

  const session = {
    switchId: hello.switch,
    software: hello.software,
    isDemo: hello.demo,
    startedAt: new Date(hello.startedAt),
    /** What was known of the switch when it came, and whether everything is in order since. */
    known: null as KnownSwitch | null,
    isReady: false,

    isOpen: (): boolean => isOpen,
    heardAt: (): Date => heardAt,
    pending: (): number => pending.size,
    send(message: ToSwitch): void {
      if (isOpen) link.send(message)
    },
    /** It was told no, and its money was held after all: it is closed unless the switch has it from somebody else. */
    withdraw(callId: string): void {
      withdrawn.add(callId)
      ask()
    },
    ask,
    /** Somebody may have left something behind; not at once, for then there may be many. */
    compareSoon,

    hear(message: FromSwitch): void {
      heardAt = clock.now()
      switch (message.type) {
        case 'authorize':
          deps.authorize(session, message)
          break
        case 'live':
          hearList(message)
          break
        // Said again whenever another call control connects.
        case 'hello':
        case 'alive':
          break
        case 'credentials':
        case 'pinged':
        case 'trunk':
        case 'banned':
          deps.besides(session, message)
          break
        default:
          take(message)
      }
    },

    tick(): void {
      if (asking && nowMs() - asking.askedAt > LIST_WITHIN_MS) link.drop('it does not tell its calls')
      for (const { event, underWay } of pending.values()) if (!underWay) take(event)
      if (hasLeftEvents && pending.size === 0) link.drop('it has to say again what was too much')
      if (nowMs() >= nextCompareAt) ask()
    },
    /** For tests and for closing down: nothing is under way. */
    async idle(): Promise<void> {
      await Promise.all([...pending.values()].map(({ underWay }) => underWay))
      await comparing
    },
    close(): void {
      isOpen = false
    },
  }
  return session
}
