import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createNetstringReader, writeNetstring } from '../../contract/netstring.ts'
import { type FromSwitch, fromSwitch, messagesIn, type ToSwitch } from '../../contract/switch-protocol.ts'
import { eventually } from './eventually.ts'

type Of<Type extends FromSwitch['type']> = Extract<FromSwitch, { type: Type }>
export type Answer = Extract<ToSwitch, { type: 'allow' | 'refuse' }>
/** Of each kind by itself: Omit of a union would keep only what they share. */
type Unnamed<Kind> = Kind extends Answer ? Omit<Kind, 'call'> : never

/** A call control of a few lines: it answers as told, notes what it hears and acknowledges. */
export type Peer = {
  heard: FromSwitch[]
  all<Type extends FromSwitch['type']>(type: Type): Of<Type>[]
  next<Type extends FromSwitch['type']>(
    type: Type,
    isIt?: (message: Of<Type>) => boolean,
    withinMs?: number,
  ): Promise<Of<Type>>
  send(message: ToSwitch): void
  /** What was said is done: orders are carried out one after the other, and an answer to the last tells so. */
  obeyed(withinMs?: number): Promise<void>
  close(): Promise<void>
}

export type PeerOptions = {
  /** Null says nothing at all. */
  authorize?: (asked: Of<'authorize'>) => Unnamed<Answer> | null
  credentials?: (user: string) => { md5: string; sha256: string } | null | 'silence'
  acknowledges?: boolean
  /** Trusted for an account of that name, which no phone of the tests has. */
  addresses?: string[]
}

const HELLO_WITHIN_MS = 5_000

export const trusted = (address: string, user = 'exchange') => ({ address, user })

/** A switch that is being killed may still accept a connection and never say hello: connect again. */
export async function connectPeer(port: number, options: PeerOptions = {}, triesLeft = 20): Promise<Peer> {
  const socket = await open(port)
  const heard: FromSwitch[] = []
  const read = createNetstringReader()
  socket.on('data', (bytes) => {
    for (const text of read(bytes))
      for (const said of messagesIn(JSON.parse(text))) hear(fromSwitch.parse(said))
  })
  socket.on('error', () => {})
  const send = (message: ToSwitch) => socket.write(writeNetstring(JSON.stringify(message)))

  function hear(message: FromSwitch): void {
    heard.push(message)
    if (message.type === 'authorize') {
      const answer = options.authorize?.(message)
      if (answer) send({ ...answer, call: message.call } as Answer)
    }
    if (message.type === 'credentials') {
      const known = options.credentials?.(message.user) ?? null
      if (known === 'silence') return
      const { request, user } = message
      send({ type: 'credentials', request, user, md5: known?.md5 ?? null, sha256: known?.sha256 ?? null })
    }
    if ('id' in message && options.acknowledges !== false) send({ type: 'ack', ids: [message.id] })
  }

  const all = <Type extends FromSwitch['type']>(type: Type) =>
    heard.filter((message): message is Of<Type> => message.type === type)

  let questions = 0
  async function obeyed(withinMs?: number): Promise<void> {
    const request = `obeyed ${++questions}`
    send({ type: 'list', request })
    const answer = () => socket.destroyed || all('live').some((one) => one.request === request)
    await eventually(answer, 'list', withinMs)
  }

  const isGreeted = await eventually(
    () => all('hello').length > 0 || socket.destroyed,
    'hello',
    HELLO_WITHIN_MS,
  ).then(
    () => all('hello').length > 0,
    () => false,
  )
  if (!isGreeted) {
    socket.destroy()
    if (triesLeft === 0) throw new Error(`The switch at port ${port} sends no hello`)
    return connectPeer(port, options, triesLeft - 1)
  }
  if (options.addresses) {
    send({
      type: 'addresses',
      clear: true,
      add: options.addresses.map((address) => trusted(address)),
      remove: [],
    })
    await obeyed()
  }
  return {
    heard,
    all,
    next: (type, isIt = () => true, withinMs) =>
      eventually(() => all(type).find(isIt), `${type} from the switch`, withinMs),
    send,
    obeyed,
    close: () =>
      new Promise((resolve) => {
        if (socket.closed) return resolve()
        socket.once('close', () => resolve())
        socket.destroy()
      }),
  }
}

/** A switch that is just starting again is waited for. */
async function open(port: number, triesLeft = 100): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (isOpen) return socket
  if (triesLeft === 0) throw new Error(`Nobody listens at port ${port}`)
  await pause(50)
  return open(port, triesLeft - 1)
}
