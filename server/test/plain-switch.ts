import { createServer, type Socket } from 'node:net'
import { createNetstringReader, writeNetstring } from '@trunkline/contract/netstring'
import {
  type FromSwitch,
  type FromSwitchOf,
  type ToSwitch,
  type ToSwitchOf,
  toSwitch,
} from '@trunkline/contract/switch-protocol'
import { onTestFinished } from 'vitest'

/** A scripted switch that records the messages it receives. */
export async function startPlainSwitch(id = 'plain', sip?: string) {
  const received: ToSwitch[] = []
  const sockets = new Set<Socket>()
  let live: FromSwitchOf<'live'>['calls'] | null = []
  const say = (message: FromSwitch, to: Iterable<Socket> = sockets) => {
    for (const socket of to) socket.write(writeNetstring(JSON.stringify(message)))
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    const read = createNetstringReader()
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      for (const text of read(bytes)) handleMessage(toSwitch.parse(JSON.parse(text)))
    })
    say({ type: 'hello', switch: id, software: 'test', startedAt: 1, demo: false, ...(sip && { sip }) }, [
      socket,
    ])
  })
  function handleMessage(message: ToSwitch): void {
    received.push(message)
    if (message.type === 'list' && live)
      say({ type: 'live', request: message.request, calls: live, last: true })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const all = <Type extends ToSwitch['type']>(type: Type): ToSwitchOf<Type>[] =>
    received.filter((message): message is ToSwitchOf<Type> => message.type === type)
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => sockets.size,
    connected: async () => {
      for (let waited = 0; all('list').length === 0 && waited < 20_000; waited += 5)
        await new Promise((resolve) => setTimeout(resolve, 5))
    },
    say,
    all,
    last: <Type extends ToSwitch['type']>(type: Type) => all(type).at(-1),
    /** The calls that the switch lists from now on. Null: it does not answer. */
    setLive: (calls: FromSwitchOf<'live'>['calls'] | null) => {
      live = calls
    },
    clearReceived: () => void received.splice(0),
  }
}
