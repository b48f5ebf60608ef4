import { connect, createServer, isIP, type Server, Socket } from 'node:net'
import { createFramer } from './framing.ts'
import { formatMessage, type SipMessage } from './message.ts'

/** A TCP connection with a switch, opened by either side. */
export type Connection = {
  readonly address: string
  isOpen(): boolean
  send(message: SipMessage): void
  /** Returns a function that removes the listener. */
  onClose(listener: () => void): () => void
}

export type Connections = {
  readonly port: number
  /** Reuses an open connection that was made to the same address. */
  connectTo(host: string, port: number): Connection
  /** Whether requests may be sent to this address. */
  isAllowed(address: string): boolean
  close(): Promise<void>
}

type Options = {
  readonly host: string
  readonly port: number
  readonly isAllowed: (address: string) => boolean
  readonly onMessage: (message: SipMessage, connection: Connection) => void
  readonly onError: (error: unknown) => void
}

const CONNECT_TIMEOUT_MS = 5_000
const KEEP_ALIVE_MS = 30_000
const CLOSE_MS = 500
/** A switch that does not read its connection is cut off. */
const MAX_UNSENT = 1024 * 1024

export async function openConnections(options: Options): Promise<Connections> {
  const sockets = new Set<Socket>()
  const outgoing = new Map<string, Connection>()
  let isClosed = false

  const server = createServer((socket) => {
    if (isAllowed(plainAddress(socket.remoteAddress))) serve(socket, plainAddress(socket.remoteAddress))
    else socket.destroy()
  })
  const port = await listen(server, options.host, options.port)
  server.on('error', options.onError)

  function isAllowed(address: string): boolean {
    return address !== '' && options.isAllowed(address)
  }

  function serve(socket: Socket, address: string): Connection {
    const closeListeners = new Set<() => void>()
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    const connection: Connection = {
      address,
      isOpen: () => !socket.destroyed && socket.writable,
      send(message) {
        if (socket.destroyed || !socket.writable) return
        socket.write(formatMessage(message), 'latin1')
        if (socket.writableLength > MAX_UNSENT) socket.destroy()
      },
      onClose(listener) {
        if (socket.destroyed) queueMicrotask(listener)
        else closeListeners.add(listener)
        return () => closeListeners.delete(listener)
      },
    }
    const framer = createFramer(
      (message) => {
        try {
          options.onMessage(message, connection)
        } catch (error) {
          options.onError(error)
        }
      },
      () => socket.write('\r\n'),
    )
    socket.on('data', (chunk) => {
      if (!framer.push(chunk)) socket.destroy()
    })
    // An 'error' is always followed by 'close'.
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      for (const listener of closeListeners) listener()
      closeListeners.clear()
    })
    return connection
  }

  return {
    port,
    isAllowed,
    connectTo(host, toPort) {
      const key = `${host} ${toPort}`
      const known = outgoing.get(key)
      if (known?.isOpen()) return known
      if (isClosed) return serve(new Socket().destroy(), host)
      const socket = connect({ host, port: toPort, localAddress: isIP(host) ? sourceFor(host) : undefined })
      const timer = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS)
      socket.once('connect', () => clearTimeout(timer))
      socket.once('close', () => clearTimeout(timer))
      const connection = serve(socket, host)
      outgoing.set(key, connection)
      connection.onClose(() => {
        if (outgoing.get(key) === connection) outgoing.delete(key)
      })
      return connection
    },
    async close() {
      isClosed = true
      // The last replies are still sent.
      for (const socket of sockets) socket.destroySoon()
      setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, CLOSE_MS).unref()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }

  /** The switch knows us by the address that we listen on. */
  function sourceFor(host: string): string | undefined {
    const isUnspecified = options.host === '0.0.0.0' || options.host === '::'
    return !isUnspecified && isIP(options.host) === isIP(host) ? options.host : undefined
  }
}

/** IPv4 addresses arrive as `::ffff:192.0.2.1` on an IPv6 socket. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/i, '')

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
