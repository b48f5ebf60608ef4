import type { BrowserPhone } from '@trunkline/contract/phone'
import { UA } from 'jssip'
import { ApiError, api, explain } from '../../../app/api.ts'
import { type ActiveCall, type CallLook, createCall } from './call.ts'
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

type PhoneState = { readonly line: Line; readonly call: CallLook | null }

const TAKEN = 'The phone was closed because it was opened in another tab or window, or you signed out.'
const LOST = 'The connection to the server was lost.'
/** The server ends a disconnected phone within this time. */
const GIVE_UP_MS = 15_000

export type Phone = ReturnType<typeof createPhone>

/** A SIP connection with one call at a time. */
export function createPhone() {
  let state: PhoneState = { line: { status: 'connecting' }, call: null }
  let ua: UA | null = null
  let active: ActiveCall | null = null
  let giveUp: ReturnType<typeof setTimeout> | undefined
  let hasLeft = false
  const listeners = new Set<() => void>()

  function become(next: Partial<PhoneState>): void {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  function drop(line: Line): void {
    clearTimeout(giveUp)
    active?.abandon('words' in line ? line.words : LOST)
    const stopped = ua
    ua = null
    stopped?.stop()
    if (!hasLeft) become({ line })
  }

  async function connect(takeOver = false): Promise<void> {
    hasLeft = false
    if (!isSoundPossible()) return become({ line: { status: 'failed', words: NEEDS_HTTPS, canRetry: false } })
    become({ line: { status: 'connecting' } })
    try {
      const phone = await api('POST /api/phone', { body: { take_over: takeOver } })
      if (!hasLeft) start(phone)
    } catch (error) {
      const words = explain(error, 'The phone could not be started.')
      const code = error instanceof ApiError ? error.code : undefined
      become({
        line:
          code === 'phone_in_use'
            ? { status: 'elsewhere', words }
            : { status: 'failed', words, canRetry: code !== 'no_phone' },
      })
    }
  }

  function start(phone: BrowserPhone): void {
    const onEnded = () => drop({ status: 'elsewhere', words: TAKEN })
    ua = new UA({
      sockets: createSocket(phone.socket, phone.socket_token, onEnded),
      uri: `sip:${phone.name}@${location.hostname}`,
      authorization_user: phone.name,
      password: phone.password,
      register: false,
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
      become({ line: { status: 'lost', phone } })
    })
    ua.start()
  }

  return {
    current: (): PhoneState => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connect,

    /** `number` is the echo test or any dialed number. */
    call(number: string, isEcho = false): void {
      const { line } = state
      if (ua === null || line.status !== 'ready' || active?.isLive()) return
      const through = ua
      const begun: ActiveCall = createCall({
        number,
        isEcho,
        phoneName: line.phone.name,
        // The record arrives after the call; by then another call may be shown.
        onChange: (call) => active === begun && become({ call }),
        dial: (options) => through.call(`sip:${number}@${location.hostname}`, options),
      })
      active = begun
      void begun.begin()
    },
    active: (): ActiveCall | null => active,

    /** Dismisses the last call. */
    clear(): void {
      if (active?.isLive()) return
      active = null
      become({ call: null })
    },

    leave(): void {
      hasLeft = true
      drop({ status: 'connecting' })
    },
  }
}
