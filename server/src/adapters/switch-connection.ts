import { connect, type Socket } from 'node:net'
import { createNetstringReader, writeNetstring } from '@trunkline/contract/netstring'
import { type FromSwitch, fromSwitch, messagesIn, type ToSwitch } from '@trunkline/contract/switch-protocol'
import type { Logger } from 'pino'
import { parseHostPort } from '../platform/address.ts'
import type { ConnectToSwitch, SwitchLink, SwitchListener } from '../platform/switch-link.ts'
import { createSentMessages } from './sent-messages.ts'

type SwitchConnectionOptions = {
  logger: Logger
  /** A switch sends a heartbeat every few seconds. After this silence the connection is dropped. */
  silenceMs?: number
  firstPauseMs?: number
  longestPauseMs?: number
  /** The connection is dropped when the send buffer, or the messages that the switch has not confirmed, exceed this size. */
  maxUnsentBytes?: number
}

const SILENCE_MS = 15_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const MAX_UNSENT_BYTES = 64 * 1024 * 1024
/** How long after a message the switch is asked whether it has received it. */
const CONFIRM_AFTER_MS = 500
/** The switch reports a gap once for each message that follows it. One repetition answers all of them. */
const REPEAT_PAUSE_MS = 300

/** Implements the switch protocol over TCP and reconnects when the connection is lost. */
export function createSwitchConnector(options: SwitchConnectionOptions): ConnectToSwitch {
  const { logger, firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS } = options

  return (address, listener) => {
    const target = parseHostPort(address)
    if (!target) throw new Error(`"${address}" is not a valid switch address`)
    let isClosed = false
    let pauseMs = firstPauseMs
    let retry: NodeJS.Timeout | undefined
    let socket: Socket | null = null

    const open = () => {
      socket = connect({ ...target, noDelay: true })
      handleConnection(socket, address, options, {
        ...listener,
        onOpen(link) {
          pauseMs = firstPauseMs
          listener.onOpen(link)
        },
      })
      socket.once('close', () => {
        socket = null
        if (isClosed) return
        retry = setTimeout(open, pauseMs)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      })
    }
    open()
    logger.debug({ address }, 'connecting to switch')

    return {
      close() {
        isClosed = true
        clearTimeout(retry)
        socket?.destroy()
      },
    }
  }
}

/** Handles one connection until it closes. */
function handleConnection(
  socket: Socket,
  address: string,
  { logger, silenceMs = SILENCE_MS, maxUnsentBytes = MAX_UNSENT_BYTES }: SwitchConnectionOptions,
  listener: SwitchListener,
): void {
  const read = createNetstringReader()
  let link: SwitchLink | null = null
  const sent = createSentMessages()
  let unsent: Uint8Array[] = []
  let confirmation: NodeJS.Timeout | undefined
  let confirmedAt = 0
  let repeated = { after: -1, at: 0 }
  let heardAt = performance.now()

  const drop = (why: string) => {
    if (!socket.destroyed) logger.warn({ address, why }, 'dropping switch connection')
    socket.destroy()
  }
  const watch = setInterval(() => {
    if (performance.now() - heardAt > silenceMs) drop('no message for too long')
  }, silenceMs / 5)

  /** Sends all messages of one turn of the event loop in one write. */
  const flush = () => {
    const bytes = Buffer.concat(unsent)
    unsent = []
    if (socket.destroyed) return
    socket.write(bytes)
    if (socket.writableLength > maxUnsentBytes) drop('too much unsent data')
  }
  const write = (netstrings: readonly Uint8Array[]) => {
    if (socket.destroyed) return
    if (unsent.length === 0) setImmediate(flush)
    unsent.push(...netstrings)
  }
  const send = (message: ToSwitch) => {
    if (!link?.hello.confirms) return write([writeNetstring(JSON.stringify(message))])
    if (!sent.hasUnconfirmed()) confirmedAt = performance.now()
    const netstring = sent.add(message)
    if (!netstring) return logger.error({ address, type: message.type }, 'message too long for the switch')
    write([netstring])
    if (sent.unconfirmedBytes() > maxUnsentBytes) drop('too much unconfirmed data')
    confirmation ??= setTimeout(requestConfirmation, CONFIRM_AFTER_MS)
  }
  /** Also finds out that the last message before a pause was lost. */
  const requestConfirmation = () => {
    confirmation = undefined
    if (!sent.hasUnconfirmed()) return
    if (performance.now() - confirmedAt > silenceMs) drop('no confirmation for too long')
    else send({ type: 'confirm' })
  }
  const confirm = (number: number) => {
    if (number > sent.confirmed()) confirmedAt = performance.now()
    sent.confirm(number)
  }
  const repeat = (after: number) => {
    if (after === repeated.after && performance.now() - repeated.at < REPEAT_PAUSE_MS) return
    repeated = { after, at: performance.now() }
    const lost = sent.after(after)
    if (!lost) return drop('message lost')
    logger.warn({ address, count: lost.length }, 'repeating messages that the switch has lost')
    confirm(after)
    write(lost)
  }

  const receive = (message: FromSwitch) => {
    if (message.type === 'missed') repeat(message.after)
    else if (message.type === 'received') confirm(message.number)
    else if (link) listener.onMessage(link, message)
    else if (message.type === 'hello') {
      link = { hello: message, send, drop }
      logger.info({ address, switch: message.switch, software: message.software }, 'connected to switch')
      listener.onOpen(link)
    } else drop('no hello')
  }

  socket.on('data', (bytes) => {
    heardAt = performance.now()
    let texts: string[]
    try {
      texts = read(bytes)
    } catch (error) {
      return drop((error as Error).message)
    }
    for (const text of texts)
      for (const message of parseMessages(text))
        if (!message) logger.warn({ address, text: text.slice(0, 500) }, 'unknown switch message')
        else
          try {
            receive(message)
          } catch (error) {
            // A bug in one handler must not drop the connection and its calls.
            logger.error({ address, err: error, message }, 'failed to handle switch message')
          }
  })
  socket.on('error', (error) => logger.debug({ address, err: error }, 'switch connection failed'))
  socket.once('close', () => {
    clearInterval(watch)
    clearTimeout(confirmation)
    if (!link) return
    logger.warn({ address, switch: link.hello.switch }, 'switch connection lost')
    listener.onClose(link)
  })
}

/** Null for each message that does not match the protocol. */
function parseMessages(text: string): (FromSwitch | null)[] {
  try {
    return messagesIn(JSON.parse(text)).map((message) => fromSwitch.safeParse(message).data ?? null)
  } catch {
    return [null]
  }
}
