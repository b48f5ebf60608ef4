import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from './eventually.ts'

const FLOODER = '127.0.2.1'

/** Opens idle connections from one address; `word` is sent first. */
export async function openIdle(count: number, port: number, word: string) {
  const sockets = new Set<Socket>()
  let opened = 0
  for (let at = 0; at < count; at++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: FLOODER })
    sockets.add(socket)
    socket.once('connect', () => {
      opened++
      if (word) socket.write(word)
    })
    socket.on('error', () => {})
    socket.resume()
    socket.once('close', () => sockets.delete(socket))
    if (at % 100 === 99) await pause(5)
  }
  await eventually(() => opened >= count, `${count} connections`, 60_000)
  return {
    left: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
