import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createNetstringReader, writeNetstring } from '@trunkline/contract/netstring'
import type { FromSwitch, ToSwitch } from '@trunkline/contract/switch-protocol'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { parseHostPort } from '../platform/address.ts'
import type { SwitchLink } from '../platform/switch-link.ts'
import { createSwitchConnector } from './switch-connection.ts'

const HELLO: FromSwitch = { type: 'hello', switch: 'sw1', software: 'test', startedAt: 1, demo: false }
const ALIVE: FromSwitch = { type: 'alive', at: 5 }
/** The listener throws for this message. */
const POISON = { type: 'alive', at: 13 } as const

/** A fake switch that sends given bytes, and a record of everything received from it. */
async function createPeer(silenceMs = 5_000) {
  const sockets: Socket[] = []
  const fromClient: ToSwitch[] = []
  const received: FromSwitch[] = []
  const links: SwitchLink[] = []
  let closed = 0
  const server = createServer((socket) => {
    const read = createNetstringReader()
    socket.on('data', (bytes) => fromClient.push(...read(bytes).map((text) => JSON.parse(text))))
    socket.on('error', () => {})
    sockets.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connect = createSwitchConnector({
    logger: pino({ level: 'silent' }),
    silenceMs,
    firstPauseMs: 5,
    longestPauseMs: 20,
  })
  const connection = connect(`127.0.0.1:${port}`, {
    onOpen: (link) => links.push(link),
    onMessage: (_link, message) => {
      received.push(message)
      if (message.type === 'alive' && message.at === POISON.at) throw new Error('bug in the listener')
    },
    onClose: () => closed++,
  })
  onTestFinished(() => {
    connection.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const until = async (isSo: () => boolean) => {
    for (let waited = 0; !isSo() && waited < 20_000; waited += 5)
      await new Promise((done) => setTimeout(done, 5))
    expect(isSo()).toBe(true)
  }
  await until(() => sockets.length > 0)
  return {
    fromClient,
    received,
    links,
    sockets,
    until,
    closed: () => closed,
    send: (bytes: Uint8Array | string) => sockets.at(-1)?.write(bytes),
    sendMessage: (message: object) => sockets.at(-1)?.write(writeNetstring(JSON.stringify(message))),
  }
}

it('handles every message of an array and skips invalid ones', async () => {
  const { received, links, until, sendMessage } = await createPeer()
  sendMessage(HELLO)
  await until(() => links.length === 1)
  sendMessage([ALIVE, { type: 'nonsense' }, { ...ALIVE, at: 6 }])
  await until(() => received.length === 2)
  expect(received).toEqual([ALIVE, { ...ALIVE, at: 6 }])
})

it('opens with hello and receives messages in arbitrary pieces', async () => {
  const peer = await createPeer()
  const bytes = Buffer.concat([HELLO, ALIVE, ALIVE].map((one) => writeNetstring(JSON.stringify(one))))
  for (const byte of bytes) peer.send(Uint8Array.of(byte))
  await peer.until(() => peer.received.length === 2)
  expect(peer.links[0]?.hello).toEqual(HELLO)
  expect(peer.received).toEqual([ALIVE, ALIVE])
  peer.links[0]?.send({ type: 'list', request: 'ä' })
  await peer.until(() => peer.fromClient.length === 1)
  expect(peer.fromClient).toEqual([{ type: 'list', request: 'ä' }])
})

const CONFIRMING = { ...HELLO, confirms: true }

/** A peer whose switch confirms messages, after two messages. */
async function createConfirmingPeer(silenceMs?: number) {
  const peer = await createPeer(silenceMs)
  peer.sendMessage(CONFIRMING)
  await peer.until(() => peer.links.length === 1)
  for (const request of ['a', 'b']) peer.links[0]?.send({ type: 'list', request })
  await peer.until(() => peer.fromClient.length >= 2)
  expect(peer.fromClient.slice(0, 2)).toEqual([
    { sequence: '1', type: 'list', request: 'a', end: 1 },
    { sequence: '2', type: 'list', request: 'b', end: 1 },
  ])
  return peer
}

it('repeats the messages that the switch has lost, once for several reports', async () => {
  const peer = await createConfirmingPeer()
  for (let report = 0; report < 3; report++) peer.sendMessage({ type: 'missed', after: 1 })
  await peer.until(() => peer.fromClient.length >= 3)
  expect(peer.fromClient[2]).toMatchObject({ sequence: '2', request: 'b' })
  peer.links[0]?.send({ type: 'list', request: 'c' })
  await peer.until(() => peer.fromClient.length >= 4)
  expect(peer.fromClient[3]).toMatchObject({ sequence: '3', request: 'c' })
  expect(peer.sockets).toHaveLength(1)
})

it('does not send a message that is too long, and continues', async () => {
  const peer = await createConfirmingPeer()
  peer.links[0]?.send({ type: 'forget', users: [...Array(400)].map((_, at) => `${at}`.padEnd(80, 'x')) })
  peer.links[0]?.send({ type: 'list', request: 'c' })
  await peer.until(() => peer.fromClient.length >= 3)
  expect(peer.fromClient[2]).toMatchObject({ sequence: '3', request: 'c' })
  expect(peer.sockets).toHaveLength(1)
})

it('asks for a confirmation after the last message, and forgets what is confirmed', async () => {
  const peer = await createConfirmingPeer()
  await peer.until(() => peer.fromClient.length >= 3)
  expect(peer.fromClient[2]).toEqual({ sequence: '3', type: 'confirm', end: 1 })
  peer.sendMessage({ type: 'received', number: 3 })
  await new Promise((done) => setTimeout(done, 700))
  expect(peer.fromClient).toHaveLength(3)
  expect(peer.sockets).toHaveLength(1)
  // Confirmed messages cannot be repeated, so the connection is dropped.
  peer.sendMessage({ type: 'missed', after: 1 })
  await peer.until(() => peer.sockets.length === 2)
  peer.sendMessage(CONFIRMING)
  await peer.until(() => peer.links.length === 2)
  peer.links[1]?.send({ type: 'list', request: 'c' })
  await peer.until(() => peer.fromClient.length >= 4)
  expect(peer.fromClient[3]).toMatchObject({ sequence: '1' })
})

it('drops a switch that no longer confirms', async () => {
  const peer = await createConfirmingPeer(600)
  const beats = setInterval(() => peer.sendMessage(ALIVE), 50)
  await peer.until(() => peer.sockets.length === 2)
  clearInterval(beats)
})

it('ignores an unknown message and continues', async () => {
  const peer = await createPeer()
  peer.sendMessage(HELLO)
  peer.send(writeNetstring('{"type":'))
  peer.sendMessage({ type: 'ended', id: 'e1', call: 'c1', at: 'noon' })
  peer.sendMessage({ type: 'what' })
  peer.sendMessage(ALIVE)
  await peer.until(() => peer.received.length === 1)
  expect(peer.sockets).toHaveLength(1)
})

it('continues after the listener throws', async () => {
  const peer = await createPeer()
  for (const message of [HELLO, POISON, ALIVE]) peer.sendMessage(message)
  await peer.until(() => peer.received.length === 2)
  expect(peer.received).toEqual([POISON, ALIVE])
  expect(peer.sockets).toHaveLength(1)
})

it('reconnects after a framing error', async () => {
  const peer = await createPeer()
  peer.sendMessage(HELLO)
  await peer.until(() => peer.links.length === 1)
  peer.send('not a netstring')
  await peer.until(() => peer.sockets.length === 2)
  expect(peer.closed()).toBe(1)
  peer.links[0]?.send({ type: 'list', request: 'to nobody' })
  peer.sendMessage(HELLO)
  await peer.until(() => peer.links.length === 2)
})

it('drops a peer that does not send hello first', async () => {
  const peer = await createPeer()
  peer.sendMessage(ALIVE)
  await peer.until(() => peer.sockets.length === 2)
  expect(peer.received).toEqual([])
  expect(peer.closed()).toBe(0)
})

it('drops a switch that is silent for too long', async () => {
  const peer = await createPeer(50)
  peer.sendMessage(HELLO)
  await peer.until(() => peer.sockets.length === 2)
})

it('parses addresses of switches', () => {
  expect(parseHostPort('sip.example.org:8448')).toEqual({ host: 'sip.example.org', port: 8448 })
  expect(parseHostPort('[::1]:8448')).toEqual({ host: '::1', port: 8448 })
  for (const wrong of ['8448', 'host', 'host:', 'host:0', 'host:70000', '::1:8448', 'a b:1'])
    expect(parseHostPort(wrong)).toBeNull()
})
