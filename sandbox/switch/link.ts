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
 * The side of the switch that call controls connect to. As with Kamailio's evapi, whatever is said is said to all of them,
 * what answers one of them included.
 */
export async function openLink({ port, host, onConnected, onMessage }: LinkOptions) {
  const sockets = new Set<Socket>()
  let unsent: Uint8Array[] = []
  let isFlushDue = false
  let isFrozen = false
  let isDown = false
  /** Messages that could not be understood. */
  let garbled = 0

  const flush = () => {
    isFlushDue = false
    if (isFrozen || unsent.length === 0) return
    const bytes = unsent.length === 1 ? (unsent[0] as Uint8Array) : Buffer.concat(unsent)
    unsent = []
    for (const socket of sockets) socket.write(bytes)
  }
  /** All that is said in one go leaves in one write: thousands of small ones would be most of the work. */
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

  const hear = (text: string) => {
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
        for (const text of read(bytes)) hear(text)
      } catch {
        garbled += 1
        socket.destroy()
      }
    })
    socket.on('close', () => sockets.delete(socket))
    // What was said before it came is not for it: the first it hears is hello.
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
    /** While down, whoever connects is cut off at once. */
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
