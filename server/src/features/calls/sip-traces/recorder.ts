import type { FromSwitchOf } from '@trunkline/contract/switch-protocol'
import { system } from '@trunkline/domain/access'
import {
  type CapturedMessage,
  createDirections,
  readHead,
  redact,
  type SipHead,
} from '@trunkline/domain/sip-trace'
import type { Logger } from 'pino'
import { type Clock, DAY, earlier, SECOND, startOfDay } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { SipCapture } from '../../../platform/sip-capture.ts'
import { callIdOf } from '../live-calls/call.ts'
import { createTraceDay, insertChunks, readLiveTraces, type TraceChunk } from './chunks-store.ts'

export type TraceRecorder = ReturnType<typeof createTraceRecorder>

export const defaultTraceLimits = {
  messagesPerCall: 300,
  charactersPerMessage: 8_000,
  /** Messages in memory. More drop the oldest ones. */
  queue: 20_000,
  /** Dialogs in memory, of calls and of callers that were not identified yet. */
  dialogs: 50_000,
  unknownDialogs: 2_000,
}

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  metrics: Metrics
  limits?: Partial<typeof defaultTraceLimits>
}

/** A dialog of the caller, identified by its Call-ID and From tag. */
type Dialog = {
  key: string
  /** Null until call control was asked for the call. Strangers never get that far, and their messages are discarded. */
  callId: string | null
  directions: ReturnType<typeof createDirections>
  /** Not written yet. */
  waiting: { capture: SipCapture; head: SipHead }[]
  count: number
  isAnswered: boolean
  isOver: boolean
  /** Our clock. */
  waitsSince: number
  lastAt: number
}

/** A chunk is written when the call has sent nothing for this long, so that a call setup is one row. */
const QUIET_MS = 2 * SECOND
const MAX_WAIT_MS = 15 * SECOND
/** A caller answers a challenge within this time. */
const UNKNOWN_MS = 10 * SECOND
/** Retransmissions end after 32 seconds. */
const FORGET_AFTER_MS = 60 * SECOND
const LONGEST_CALL_MS = 5 * 60 * 60 * SECOND
/** The end of a call is recorded even if the call has used up its messages. */
const EXTRA_FOR_END = 30
const CHUNKS_PER_INSERT = 200
/** The switch refuses longer messages, but captures them before. */
const MAX_MESSAGE_CHARACTERS = 16_384
/** Longer Call-IDs are shortened in the protocol with the switch. */
const MAX_NAME = 200

const keyOf = (switchId: string, sip: string, tag: string): string =>
  `${switchId} ${sip.slice(0, MAX_NAME)} ${tag.slice(0, MAX_NAME)}`

/**
 * Collects the SIP messages of calls in memory and writes them in batches. A call never waits for it: under load or without a database
 * it drops messages and counts them.
 */
export function createTraceRecorder({ db, clock, logger, metrics, limits: given }: Deps) {
  const limits = { ...defaultTraceLimits, ...given }
  /** Least recently created first. */
  const dialogs = new Map<string, Dialog>()
  /** Dialogs with waiting messages, the oldest first. */
  const waiting = new Set<Dialog>()
  const knownDays = new Set<number>()
  let queued = 0
  let unknown = 0
  let flushing: Promise<void> | null = null
  /** Could not be written yet. */
  let unwritten: TraceChunk[] = []

  const messages = metrics.counter({
    name: 'trunkline_sip_messages_total',
    help: 'SIP messages from switches: stored, dropped because of a limit, or ignored because they belong to no call.',
    labels: ['result'],
  })
  metrics.gauge(
    { name: 'trunkline_sip_messages_waiting', help: 'SIP messages that wait to be stored.' },
    () => queued,
  )

  function addDialog(key: string, tag: string, callId: string | null): Dialog {
    const now = clock.now().getTime()
    const dialog: Dialog = {
      key,
      callId,
      directions: createDirections(tag),
      waiting: [],
      count: 0,
      isAnswered: false,
      isOver: false,
      waitsSince: now,
      lastAt: now,
    }
    dialogs.set(key, dialog)
    if (callId === null) unknown++
    if (dialogs.size > limits.dialogs || unknown > limits.unknownDialogs)
      removeOldest(unknown > limits.unknownDialogs)
    return dialog
  }

  function removeOldest(isUnknown: boolean): void {
    for (const dialog of dialogs.values())
      if (!isUnknown || dialog.callId === null) {
        remove(dialog, 'dropped')
        return
      }
  }

  function remove(dialog: Dialog, result: 'dropped' | 'ignored'): void {
    if (dialog.callId === null) unknown--
    dialogs.delete(dialog.key)
    discard(dialog, dialog.waiting.length, result)
  }

  function discard(dialog: Dialog, count: number, result: 'dropped' | 'ignored'): void {
    dialog.waiting.splice(0, count)
    queued -= count
    if (count > 0) messages.add(count, result)
    if (dialog.waiting.length === 0) waiting.delete(dialog)
  }

  /** The dialog of a message. Only an INVITE of a caller begins one. */
  function dialogOf(switchId: string, head: SipHead): Dialog | undefined {
    const key = keyOf(switchId, head.callId, head.fromTag)
    const known =
      dialogs.get(key) ??
      (head.toTag === '' ? undefined : dialogs.get(keyOf(switchId, head.callId, head.toTag)))
    const isNew = head.isRequest && head.method === 'INVITE' && head.toTag === ''
    return known ?? (isNew ? addDialog(key, head.fromTag, null) : undefined)
  }

  function hasRoom(dialog: Dialog, { method }: SipHead): boolean {
    const isEnd = method === 'BYE' || method === 'CANCEL'
    return dialog.count < limits.messagesPerCall + (isEnd ? EXTRA_FOR_END : 0)
  }

  /** A failure before the answer may be the end. If another carrier is tried, more messages follow. */
  function noteState(dialog: Dialog, { method, status }: SipHead): void {
    if (method === 'BYE') dialog.isOver = true
    if (method !== 'INVITE' || status === null || dialog.isAnswered) return
    dialog.isAnswered = status >= 200 && status < 300
    dialog.isOver = status >= 300 && status !== 401 && status !== 407
  }

  /** A message of a switch. Times that are days off would need partitions of their own. */
  function receive(capture: SipCapture): void {
    const now = clock.now().getTime()
    const isUsable = Math.abs(capture.at - now) < DAY && capture.text.length <= MAX_MESSAGE_CHARACTERS
    const head = isUsable ? readHead(capture.text) : null
    const dialog = head ? dialogOf(capture.switchId, head) : undefined
    if (!head || !dialog) {
      messages.add(1, 'ignored')
      return
    }
    if (!hasRoom(dialog, head)) {
      messages.add(1, 'dropped')
      return
    }
    dialog.count++
    dialog.lastAt = now
    noteState(dialog, head)
    if (dialog.waiting.length === 0) {
      dialog.waitsSince = now
      waiting.add(dialog)
    }
    dialog.waiting.push({ capture, head })
    queued++
    if (queued > limits.queue) {
      const [oldest] = waiting
      if (oldest) discard(oldest, 1, 'dropped')
    }
  }

  /** Call control was asked for this call, so its messages are kept. */
  function authorized(switchId: string, { call, sip, tag }: FromSwitchOf<'authorize'>): void {
    if (sip === undefined || tag === undefined) return
    const callId = callIdOf(switchId, call)
    const key = keyOf(switchId, sip, tag)
    const known = dialogs.get(key)
    if (known?.callId === callId) return
    if (known?.callId === null) {
      known.callId = callId
      unknown--
      return
    }
    const next = addDialog(key, tag, callId)
    if (known) handOver(known, next)
  }

  /** A phone used the Call-ID of an earlier call again: the messages since the last INVITE belong to the new call. */
  function handOver(before: Dialog, next: Dialog): void {
    const from = before.waiting.findLastIndex(
      ({ head }) => head.isRequest && head.method === 'INVITE' && head.toTag === '',
    )
    if (from < 0) return
    next.waiting = before.waiting.splice(from)
    next.count = next.waiting.length
    if (before.waiting.length === 0) waiting.delete(before)
    waiting.add(next)
  }

  /** Requests first: a reply can have an earlier time than its request, and only the request tells its direction. */
  function place(dialog: Dialog): CapturedMessage[] {
    const taken = dialog.waiting.splice(0).sort((one, other) => one.capture.at - other.capture.at)
    queued -= taken.length
    waiting.delete(dialog)
    const requests = taken.filter(({ head }) => head.isRequest)
    const replies = taken.filter(({ head }) => !head.isRequest)
    return [...requests, ...replies]
      .map(({ capture, head }) => ({
        at: Math.round(capture.at * 1000) / 1000,
        ...dialog.directions.place(head, capture.source, capture.target),
        transport: head.transport,
        text: redact(capture.text, limits.charactersPerMessage),
      }))
      .sort((one, other) => one.at - other.at)
  }

  async function ensureDays(chunks: readonly TraceChunk[]): Promise<void> {
    for (const {
      messages: [first],
    } of chunks) {
      const day = startOfDay(new Date(first?.at ?? 0))
      if (knownDays.has(day.getTime())) continue
      await createTraceDay(db, day)
      if (knownDays.size > 10) knownDays.clear()
      knownDays.add(day.getTime())
    }
  }

  const countOf = (chunks: readonly TraceChunk[]): number =>
    chunks.reduce((sum, chunk) => sum + chunk.messages.length, 0)

  /** While the database is away, chunks wait. Beyond the limit the oldest are dropped. */
  async function write(chunks: readonly TraceChunk[]): Promise<boolean> {
    try {
      await ensureDays(chunks)
      await insertChunks(db, chunks)
      messages.add(countOf(chunks), 'stored')
      return true
    } catch (error) {
      // Another process may have dropped the day.
      knownDays.clear()
      logger.warn({ err: error, messages: countOf(chunks) }, 'failed to store SIP messages')
      return false
    }
  }

  function keepForRetry(chunks: TraceChunk[]): void {
    unwritten = chunks
    while (countOf(unwritten) > limits.queue) messages.add(unwritten.shift()?.messages.length ?? 0, 'dropped')
  }

  function forgetIdle(now: number): void {
    for (const dialog of [...dialogs.values()]) {
      const idleMs = now - dialog.lastAt
      const isExpired =
        dialog.callId === null ? now - dialog.waitsSince > UNKNOWN_MS : idleMs > LONGEST_CALL_MS
      if (isExpired) remove(dialog, 'ignored')
      else if (dialog.isOver && idleMs > FORGET_AFTER_MS && dialog.waiting.length === 0)
        dialogs.delete(dialog.key)
    }
  }

  async function flushDue(isAll: boolean): Promise<void> {
    const now = clock.now().getTime()
    forgetIdle(now)
    const due = [...waiting]
      .filter(
        ({ callId, lastAt, waitsSince }) =>
          callId !== null && (isAll || now - lastAt >= QUIET_MS || now - waitsSince >= MAX_WAIT_MS),
      )
      .map((dialog) => ({ callId: dialog.callId ?? '', messages: place(dialog) }))
    const chunks = [...unwritten, ...due]
    while (chunks.length > 0) {
      if (!(await write(chunks.slice(0, CHUNKS_PER_INSERT)))) break
      chunks.splice(0, CHUNKS_PER_INSERT)
    }
    keepForRetry(chunks)
  }

  return {
    receive,
    authorized,
    /** Runs every second. */
    flush(isAll = false): Promise<void> {
      flushing ??= flushDue(isAll).finally(() => {
        flushing = null
      })
      return flushing
    },
    /** Continues the traces of live calls after a restart of call control. */
    async recover(): Promise<void> {
      const since = earlier(clock.now(), DAY)
      const owner = system('recovery of traces')
      for (const { callId, messages: written } of await readLiveTraces(db, owner, since)) {
        const first = readHead(written[0]?.text ?? '')
        if (!first) continue
        const switchId = callId.split('/')[0] ?? ''
        const dialog = addDialog(keyOf(switchId, first.callId, first.fromTag), first.fromTag, callId)
        dialog.count = written.length
        for (const message of written) {
          const head = readHead(message.text)
          if (!head) continue
          dialog.directions.learn(head, message)
          noteState(dialog, head)
        }
      }
    },
    async close(): Promise<void> {
      await flushing
      await flushDue(true)
    },
  }
}
