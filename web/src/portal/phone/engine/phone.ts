import type { BrowserPhone } from '@trunkline/contract/phone'
import { UA } from 'jssip'
import type { IncomingRTCSessionEvent } from 'jssip/lib/UA'
import { ApiError, api, explain } from '../../../app/api.ts'
import { type ActiveCall, type CallLook, createCall, DECLINED } from './call.ts'
import { type CallAction, type CallEvent, type CallList, decide, shownOf } from './call-list.ts'
import { readCaller } from './caller.ts'
import { createPaths, type Paths } from './relays.ts'
import { createSocket } from './socket.ts'
import { isSoundPossible } from './sound.ts'
import { NEEDS_HTTPS } from './words.ts'

export type Line =
  | { status: 'connecting' }
  | { status: 'ready'; phone: BrowserPhone }
  /** The connection is lost and being restored. */
  | { status: 'lost'; phone: BrowserPhone }
  /** Another tab uses the phone. This tab can take over. */
  | { status: 'elsewhere'; words: string }
  | { status: 'failed'; words: string; canRetry: boolean }

export type PhoneState = {
  readonly line: Line
  /** The call that the panel shows: the current one, the one on hold, or the last one. */
  readonly call: CallLook | null
  /** All live calls, including incoming ones that ring. */
  readonly calls: readonly CallLook[]
  /** The switch knows that this phone receives calls. */
  readonly isRegistered: boolean
}

/** What the page wants of the phone. */
export type PhoneUse = {
  /** The panel is open. */
  isOpen: boolean
  receives: boolean
}

const TAKEN = 'The phone was closed because it was opened in another tab or window, or you signed out.'
const LOST = 'The connection to the server was lost.'
/** The server ends a disconnected phone within this time. */
const GIVE_UP_MS = 15_000
/** Pauses before the next attempt to receive calls. */
const RETRY_MS = [3_000, 10_000, 30_000, 60_000]
const REGISTER_SECONDS = 300
const BUSY = 486

export type Phone = ReturnType<typeof createPhone>

/** A SIP connection with at most two calls. `onUnanswered` is called when an incoming call ends that was not answered here. */
export function createPhone(onUnanswered: (look: CallLook) => void = () => {}) {
  let state: PhoneState = { line: { status: 'connecting' }, call: null, calls: [], isRegistered: false }
  let use: PhoneUse = { isOpen: false, receives: false }
  let ua: UA | null = null
  let paths: Paths | null = null
  let list: CallList = []
  const calls = new Map<string, ActiveCall>()
  /** The last call, which stays on the display after its end. */
  let last: ActiveCall | null = null
  let giveUp: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let retries = 0
  let hasLeft = true
  let lastId = 0
  const listeners = new Set<() => void>()

  function become(next: Partial<PhoneState>): void {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  const shown = (): ActiveCall | null => calls.get(shownOf(list) ?? '') ?? last

  function refresh(): void {
    const looks = list.flatMap(({ id }) => calls.get(id)?.look() ?? [])
    become({ calls: looks, call: shown()?.look() ?? null })
  }

  /** Returns false if there is no room for the call. */
  function apply(event: CallEvent): boolean {
    const decided = decide(list, event)
    list = decided.list
    for (const action of decided.actions) run(action)
    return decided.actions.every(({ type, id }) => type !== 'refuse' || id !== event.id)
  }

  function run({ type, id }: CallAction): void {
    const call = calls.get(id)
    if (type === 'refuse' || !call) return
    // The echo test cannot be held.
    if (type === 'hold' && call.look().isEcho) call.hangUp()
    else call.hold(type === 'hold')
  }

  function changed(look: CallLook): void {
    if (look.stage === 'over' && calls.has(look.id)) {
      const call = calls.get(look.id) ?? null
      calls.delete(look.id)
      apply({ type: 'ends', id: look.id })
      if (look.unanswered) onUnanswered(look)
      else if (list.length === 0) last = call
      if (!use.isOpen && !use.receives && list.length === 0) leave()
    }
    // The record arrives after the call; by then another call may be shown.
    refresh()
  }

  function drop(line: Line): void {
    clearTimeout(giveUp)
    giveUp = undefined
    for (const call of [...calls.values(), ...(last ? [last] : [])])
      call.abandon('words' in line ? line.words : LOST)
    const stopped = ua
    ua = null
    stopped?.stop()
    if (hasLeft) return
    become({ line, isRegistered: false })
    if (use.receives && (line.status !== 'failed' || line.canRetry)) tryLater()
  }

  /** A phone that receives calls connects and registers again by itself. */
  function tryLater(): void {
    clearTimeout(retry)
    const pause = RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]
    retries += 1
    retry = setTimeout(() => {
      if (!use.receives || hasLeft) return
      if (ua === null) void connect()
      else if (ua.isConnected() && !ua.isRegistered()) ua.register()
    }, pause)
  }

  async function connect(takeOver = false): Promise<void> {
    hasLeft = false
    clearTimeout(retry)
    const { receives } = use
    if (!isSoundPossible() && !receives)
      return become({ line: { status: 'failed', words: NEEDS_HTTPS, canRetry: false } })
    become({ line: { status: 'connecting' } })
    try {
      const phone = await api('POST /api/phone', { body: { take_over: takeOver, receives } })
      if (!hasLeft && ua === null) start(phone)
    } catch (error) {
      const words = explain(error, 'The phone could not be started.')
      const { code, status } = error instanceof ApiError ? error : { code: undefined, status: 0 }
      const isElsewhere = code === 'phone_in_use'
      become({
        line: isElsewhere
          ? { status: 'elsewhere', words }
          : { status: 'failed', words, canRetry: code !== 'no_phone' },
      })
      if (receives && code !== 'no_phone' && !isElsewhere && status !== 401) tryLater()
    }
  }

  function start(phone: BrowserPhone): void {
    const onEnded = () => drop({ status: 'elsewhere', words: TAKEN })
    paths = createPaths(phone.relays)
    ua = new UA({
      sockets: createSocket(phone.socket, phone.socket_token, onEnded),
      uri: `sip:${phone.name}@${location.hostname}`,
      authorization_user: phone.name,
      password: phone.password,
      register: use.receives,
      register_expires: REGISTER_SECONDS,
      session_timers: false,
      user_agent: 'Trunkline browser phone',
      connection_recovery_min_interval: 1,
      connection_recovery_max_interval: 2,
    })
    ua.on('connected', () => {
      clearTimeout(giveUp)
      giveUp = undefined
      become({ line: { status: 'ready', phone } })
    })
    ua.on('disconnected', () => {
      if (ua === null || hasLeft) return
      giveUp ??= setTimeout(() => drop({ status: 'failed', words: LOST, canRetry: true }), GIVE_UP_MS)
      become({ line: { status: 'lost', phone }, isRegistered: false })
    })
    ua.on('registered', () => {
      retries = 0
      become({ isRegistered: true })
    })
    ua.on('unregistered', () => become({ isRegistered: false }))
    ua.on('registrationFailed', () => {
      become({ isRegistered: false })
      tryLater()
    })
    ua.on('newRTCSession', (event: IncomingRTCSessionEvent) => {
      if (event.originator === 'remote') takeIncoming(phone, event)
    })
    ua.start()
  }

  function takeIncoming(phone: BrowserPhone, { session, request }: IncomingRTCSessionEvent): void {
    const id = String(request.getHeader('Call-ID'))
    // A call that is being set up cannot be held.
    const isBusy = [...calls.values()].some((call) => !['talking', 'incoming'].includes(call.look().stage))
    if (!use.receives || !paths || isBusy || !apply({ type: 'rings', id })) {
      session.terminate({ status_code: BUSY })
      return
    }
    const { from } = request
    const caller = readCaller({
      user: from.uri.user ?? undefined,
      host: from.uri.host,
      name: from.display_name,
      privacy: request.getHeader('Privacy'),
      to: request.to.uri.user ?? undefined,
    })
    const number = caller.number ?? ''
    calls.set(
      id,
      createCall({
        id,
        number,
        isEcho: false,
        phoneName: phone.name,
        paths,
        dial: null,
        incoming: { caller, session },
        onChange: changed,
      }),
    )
    refresh()
  }

  function leave(): void {
    hasLeft = true
    clearTimeout(retry)
    drop({ status: 'connecting' })
    become({ line: { status: 'connecting' }, isRegistered: false })
  }

  return {
    current: (): PhoneState => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connect,

    /** Connects, registers, unregisters or disconnects as needed. */
    setUse(next: PhoneUse): void {
      const before = use
      use = next
      const isNeeded = next.isOpen || next.receives
      if (!isNeeded && list.length === 0 && !hasLeft) leave()
      else if (isNeeded && hasLeft) void connect()
      else if (isNeeded && before.receives !== next.receives) {
        if (next.receives && ua) ua.register()
        else if (next.receives) void connect()
        else if (ua?.isRegistered()) ua.unregister()
      }
    },

    /** `number` is the echo test or any dialed number. */
    call(number: string, isEcho = false): void {
      const { line } = state
      lastId += 1
      const id = `out-${lastId}`
      if (ua === null || paths === null || line.status !== 'ready' || !apply({ type: 'dials', id })) return
      const through = ua
      last = null
      const begun: ActiveCall = createCall({
        id,
        number,
        isEcho,
        phoneName: line.phone.name,
        paths,
        incoming: null,
        onChange: changed,
        dial: (options) => through.call(`sip:${number}@${location.hostname}`, options),
      })
      calls.set(id, begun)
      refresh()
      void begun.begin()
    },

    active: shown,

    async answer(id: string): Promise<void> {
      await calls.get(id)?.answer(() => apply({ type: 'answers', id }))
    },
    decline: (id: string): void => calls.get(id)?.decline(DECLINED),
    silence: (id: string): void => calls.get(id)?.silence(),
    hangUp: (id: string): void => calls.get(id)?.hangUp(),
    hold(id: string): void {
      apply({ type: 'holds', id })
      refresh()
    },
    /** Holds the other call. */
    resume(id: string): void {
      apply({ type: 'resumes', id })
      refresh()
    },

    /** Dismisses the last call. */
    clear(): void {
      if (list.length > 0) return
      last = null
      become({ call: null })
    },

    leave,
  }
}
