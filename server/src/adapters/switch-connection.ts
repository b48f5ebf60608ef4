import { connect, type Socket } from 'node:net'
import { createNetstringReader, writeNetstring } from '@trunkline/contract/netstring'
import { type FromSwitch, fromSwitch, messagesIn, type ToSwitch } from '@trunkline/contract/switch-protocol'
import type { Logger } from 'pino'
import type { ConnectToSwitch, SwitchLink, SwitchListener } from '../platform/switch-link.ts'

type SwitchConnectionOptions = {
  logger: Logger
  /** A switch says something every few seconds; one that does not is gone, whatever its connection looks like. */
  silenceMs?: number
  firstPauseMs?: number
  longestPauseMs?: number
  /** A switch that takes nothing off its socket for so many bytes is gone too. */
  mostUnsentBytes?: number
}

const SILENCE_MS = 15_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const MAX_UNSENT_BYTES = 64 * 1024 * 1024

/** `host:port`, with brackets round an address of version 6. */
export function parseSwitchAddress(address: string): { host: string; port: number } | null {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(address)
  const port = Number(found?.[3])
  return found && port > 0 && port < 65_536 ? { host: found[1] ?? found[2] ?? '', port } : null
}

/** Speaks the switch protocol over TCP, and comes back whenever the connection is lost. */
export function createSwitchConnector(options: SwitchConnectionOptions): ConnectToSwitch {
  const { logger, firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS } = options

  return (address, listener) => {
    const target = parseSwitchAddress(address)
    if (!target) throw new Error(`"${address}" is not the address of a switch`)
    let isClosed = false
    let pauseMs = firstPauseMs
    let retry: NodeJS.Timeout | undefined
    let socket: Socket | null = null

    const open = () => {
      socket = connect({ ...target, noDelay: true })
      converse(socket, address, options, {
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
    logger.debug({ address }, 'connecting to a switch')

    return {
      close() {
        isClosed = true
        clearTimeout(retry)
        socket?.destroy()
      },
    }
  }
}

/** One connection from its first byte to its last. */
function converse(
  socket: Socket,
  address: string,
  { logger, silenceMs = SILENCE_MS, mostUnsentBytes = MAX_UNSENT_BYTES }: SwitchConnectionOptions,
  listener: SwitchListener,
): void {
  const read = createNetstringReader()
  let link: SwitchLink | null = null
  let unsent: Uint8Array[] = []
  let heardAt = performance.now()

  const drop = (why: string) => {
    if (!socket.destroyed) logger.warn({ address, why }, 'dropping the connection to a switch')
    socket.destroy()
  }
  const watch = setInterval(() => {
    if (performance.now() - heardAt > silenceMs) drop('it has been silent for too long')
  }, silenceMs / 5)

  /** All that is said in one turn of the event loop leaves in one write. */
  const flush = () => {
    const bytes = Buffer.concat(unsent)
    unsent = []
    if (socket.destroyed) return
    socket.write(bytes)
    if (socket.writableLength > mostUnsentBytes) drop('it takes nothing any more')
  }
  const send = (message: ToSwitch) => {
    if (socket.destroyed) return
    if (unsent.length === 0) setImmediate(flush)
    unsent.push(writeNetstring(JSON.stringify(message)))
  }

  const hear = (message: FromSwitch) => {
    if (link) listener.onMessage(link, message)
    else if (message.type === 'hello') {
      link = { hello: message, send, drop }
      logger.info({ address, switch: message.switch, software: message.software }, 'connected to a switch')
      listener.onOpen(link)
    } else drop('it did not say hello')
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
      for (const message of understand(text))
        if (!message)
          logger.warn({ address, text: text.slice(0, 500) }, 'a switch said what nobody understands')
        else
          try {
            hear(message)
          } catch (error) {
            // One message that finds a fault of ours must not end the calls of all others.
            logger.error({ address, err: error, message }, 'a message could not be dealt with')
          }
  })
  socket.on('error', (error) => logger.debug({ address, err: error }, 'the connection to a switch failed'))
  socket.once('close', () => {
    clearInterval(watch)
    if (!link) return
    logger.warn({ address, switch: link.hello.switch }, 'lost the connection to a switch')
    listener.onClose(link)
  })
}

/** Null stands for what is not understood. */
function understand(text: string): (FromSwitch | null)[] {
  try {
    return messagesIn(JSON.parse(text)).map((said) => fromSwitch.safeParse(said).data ?? null)
  } catch {
    return [null]
  }
}
