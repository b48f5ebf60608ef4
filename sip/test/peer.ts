import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createNetstringReader, writeNetstring } from '../../contract/netstring.ts'
import { type FromSwitch, fromSwitch, messagesIn, type ToSwitch } from '../../contract/switch-protocol.ts'
import { eventually } from './eventually.ts'

type Of<Type extends FromSwitch['type']> = Extract<FromSwitch, { type: Type }>
export type Answer = Extract<ToSwitch, { type: 'allow' | 'refuse' }>
/** Distributes over the union, because Omit of a union keeps only the shared fields. */
type Unnamed<Kind> = Kind extends Answer ? Omit<Kind, 'call'> : never

/** A scripted call control that records and acknowledges what it receives. */
export type Peer = {
  received: FromSwitch[]
  all<Type extends FromSwitch['type']>(type: Type): Of<Type>[]
  next<Type extends FromSwitch['type']>(
    type: Type,
    matches?: (message: Of<Type>) => boolean,
    timeoutMs?: number,
  ): Promise<Of<Type>>
  send(message: ToSwitch): void
  /** Resolves when the switch has processed all earlier commands: it handles them in order and answers a final `list`. */
  processed(timeoutMs?: number): Promise<void>
  close(): Promise<void>
}

export type PeerOptions = {
  /** Null sends no answer. */
  authorize?: (asked: Of<'authorize'>) => Unnamed<Answer> | null
  credentials?: (user: string) => { md5: string; sha256: string } | null | 'silence'
  acknowledges?: boolean
  /** Trusted addresses of an account without a phone. */
  addresses?: string[]
}

const HELLO_TIMEOUT_MS = 5_000

export const trusted = (address: string, user = 'exchange') => ({ address, user })

/** Reconnects, because a switch that is being killed may accept a connection without sending hello. */
export async function connectPeer(port: number, options: PeerOptions = {}, triesLeft = 20): Promise<Peer> {
  const socket = await open(port)
  const received: FromSwitch[] = []
  const seen = new Set<string>()
  const read = createNetstringReader()
  socket.on('data', (bytes) => {
    for (const text of read(bytes))
      for (const said of messagesIn(JSON.parse(text))) handleMessage(fromSwitch.parse(said))
  })
  socket.on('error', () => {})
  const send = (message: ToSwitch) => socket.write(writeNetstring(JSON.stringify(message)))

  function handleMessage(message: FromSwitch): void {
    // The switch repeats an event whose acknowledgment is late.
    const isRepeated = 'id' in message && options.acknowledges !== false && seen.has(message.id)
    if ('id' in message) seen.add(message.id)
    if (!isRepeated) received.push(message)
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
    received.filter((message): message is Of<Type> => message.type === type)

  let requestCount = 0
  async function processed(timeoutMs?: number): Promise<void> {
    const request = `processed ${++requestCount}`
    send({ type: 'list', request })
    const answer = () => socket.destroyed || all('live').some((one) => one.request === request)
    await eventually(answer, 'list', timeoutMs)
  }

  const hasHello = await eventually(
    () => all('hello').length > 0 || socket.destroyed,
    'hello',
    HELLO_TIMEOUT_MS,
  ).then(
    () => all('hello').length > 0,
    () => false,
  )
  if (!hasHello) {
    socket.destroy()
    if (triesLeft === 0) throw new Error(`no hello from the switch at port ${port}`)
    return connectPeer(port, options, triesLeft - 1)
  }
  if (options.addresses) {
    send({
      type: 'addresses',
      clear: true,
      add: options.addresses.map((address) => trusted(address)),
      remove: [],
    })
    await processed()
  }
  return {
    received,
    all,
    next: (type, matches = () => true, timeoutMs) =>
      eventually(() => all(type).find(matches), `${type} from the switch`, timeoutMs),
    send,
    processed,
    close: () =>
      new Promise((resolve) => {
        if (socket.closed) return resolve()
        socket.once('close', () => resolve())
        socket.destroy()
      }),
  }
}

/** Retries while the switch is restarting. */
async function open(port: number, triesLeft = 1_200): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (isOpen) return socket
  if (triesLeft === 0) throw new Error(`nothing listens on port ${port}`)
  await pause(50)
  return open(port, triesLeft - 1)
}
