import { once } from 'node:events'
import { connect } from 'node:net'
import { createNetstringReader, writeNetstring } from '@trunkline/contract/netstring'
import {
  type FromSwitch,
  type FromSwitchOf,
  fromSwitch,
  type ToSwitch,
  type ToSwitchOf,
} from '@trunkline/contract/switch-protocol'
import { afterEach, beforeEach } from 'vitest'
import {
  createManualSwitchClock,
  type ManualSwitchClock,
  type RunningDemoSwitch,
  startDemoSwitch,
} from '../switch/start.ts'

/** Default `allow` of these tests. */
export const terms = (call: string, change: Partial<ToSwitchOf<'allow'>> = {}): ToSwitchOf<'allow'> => ({
  type: 'allow',
  call,
  callerId: '12125550100',
  coveredSeconds: 60,
  trunks: [1, 2].map((id) => ({ id, host: 'carrier.example', port: 5060, transport: 'udp', number: '1' })),
  ...change,
})

/** A scripted call control on a real socket. */
export async function connectCallControl(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const received: FromSwitch[] = []
  const read = createNetstringReader()
  let waiting: { isIt: (message: FromSwitch) => boolean; tell: (message: FromSwitch) => void }[] = []
  const closed = once(socket, 'close')
  const garbled: string[] = []

  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    let texts: string[] = []
    try {
      texts = read(bytes)
    } catch (error) {
      garbled.push(String(error))
      socket.destroy()
    }
    for (const text of texts) {
      const message = fromSwitch.parse(JSON.parse(text))
      received.push(message)
      for (const one of waiting.filter(({ isIt }) => isIt(message))) one.tell(message)
      waiting = waiting.filter(({ isIt }) => !isIt(message))
    }
  })
  await once(socket, 'connect')

  const say = (message: ToSwitch) => socket.write(writeNetstring(JSON.stringify(message)))
  /** The first message of a type, optionally for one call; waits for it if necessary. */
  const waitFor = async <Type extends FromSwitch['type']>(
    type: Type,
    about: Partial<FromSwitchOf<Type>> = {},
  ): Promise<FromSwitchOf<Type>> => {
    const isIt = (message: FromSwitch) =>
      message.type === type &&
      Object.entries(about).every(([name, value]) => message[name as keyof FromSwitch] === value)
    const message =
      received.find(isIt) ?? (await new Promise<FromSwitch>((tell) => waiting.push({ isIt, tell })))
    return message as FromSwitchOf<Type>
  }
  let asked = 0
  return {
    received,
    garbled,
    closed,
    say,
    waitFor,
    sayBytes: (bytes: Uint8Array) => socket.write(bytes),
    typesOf: (call: string) =>
      received.filter((message) => 'call' in message && message.call === call).map(({ type }) => type),
    acknowledge: (...ids: string[]) => say({ type: 'ack', ids }),
    /** Resolves when all earlier messages in both directions have been processed. */
    async settled() {
      asked += 1
      const request = `settled-${socket.localPort}-${asked}`
      say({ type: 'list', request })
      const { calls } = await waitFor('live', { request, last: true })
      return calls
    },
    async close() {
      socket.destroy()
      await closed
    },
  }
}
export type TestCallControl = Awaited<ReturnType<typeof connectCallControl>>

type Bench = { clock: ManualSwitchClock; demo: RunningDemoSwitch; control: TestCallControl }

/** Creates a switch, a manual clock and a connected call control for every test of a file. */
export function startSwitchForEach(
  options: Partial<Parameters<typeof startDemoSwitch>[0]>,
  use: (bench: Bench) => void,
): void {
  let bench: Bench
  beforeEach(async () => {
    const clock = createManualSwitchClock()
    const demo = await startDemoSwitch({ port: 0, id: 'test', clock, ...options })
    const control = await connectCallControl(demo.port)
    await control.waitFor('hello')
    bench = { clock, demo, control }
    use(bench)
  })
  afterEach(async () => {
    await bench.control.close()
    await bench.demo.close()
  })
}
