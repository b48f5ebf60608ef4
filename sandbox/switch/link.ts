import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createNetstringReader, writeNetstring } from '@trunkline/contract/netstring'
import { type FromSwitch, type ToSwitch, toSwitch } from '@trunkline/contract/switch-protocol'
import { portOf } from '../shared/web.ts'

interface LinkOptions {
  port: number
  host: string
  onConnected(): void
  onMessage(message: ToSwitch): void
}

/**
 * The server that call controls connect to. As in Kamailio's evapi, every message goes to all of them, including replies.
 */
export async function openLink({ port, host, onConnected, onMessage }: LinkOptions) {
  const sockets = new Set<Socket>()
  let unsent: Uint8Array[] = []
  let isFlushDue = false
  let isFrozen = false
  let isDown = false
  /** Messages that failed to parse. */
  let garbled = 0

  const flush = () => {
    isFlushDue = false
    if (isFrozen || unsent.length === 0) return
    const bytes = unsent.length === 1 ? (unsent[0] as Uint8Array) : Buffer.concat(unsent)
    unsent = []
    for (const socket of sockets) socket.write(bytes)
  }
  /** Combines messages into one write, because thousands of small writes are slow. */
  const sayBytes = (bytes: Uint8Array) => {
    if (sockets.size === 0) return
    unsent.push(bytes)
    if (isFlushDue || isFrozen) return
    isFlushDue = true
    setImmediate(flush)
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    unsent = []
  }

  const handleText = (text: string) => {
    const message = toSwitch.safeParse(parseJson(text))
    if (message.success) onMessage(message.data)
    else garbled += 1
  }
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    if (isDown) return socket.destroy()
    const read = createNetstringReader()
    socket.on('data', (bytes) => {
      try {
        for (const text of read(bytes)) handleText(text)
      } catch {
        garbled += 1
        socket.destroy()
      }
    })
    socket.on('close', () => sockets.delete(socket))
    // A new connection gets hello first, without earlier messages.
    flush()
    sockets.add(socket)
    if (isFrozen) socket.pause()
    onConnected()
  })
  server.listen(port, host)
  await once(server, 'listening')

  return {
    port: portOf(server.address()),
    connections: () => sockets.size,
    garbled: () => garbled,
    say: (message: FromSwitch) => {
      if (sockets.size > 0) sayBytes(writeNetstring(JSON.stringify(message)))
    },
    sayBytes,
    cut,
    setFrozen(frozen: boolean) {
      isFrozen = frozen
      for (const socket of sockets) frozen ? socket.pause() : socket.resume()
      if (!frozen) flush()
    },
    /** While down, new connections are closed immediately. */
    setDown(down: boolean) {
      isDown = down
      if (down) cut()
    },
    async close() {
      flush()
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Link = Awaited<ReturnType<typeof openLink>>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
