import type { ToSwitch } from '@trunkline/contract/switch-protocol'
import type { CallWish, PlacedCall } from './call.ts'
import { createCalls } from './calls.ts'
import { createSystemSwitchClock, type SwitchClock } from './clock.ts'
import { createEvents, type NewEvent } from './events.ts'
import { createFaults, type FaultChange, type SwitchFaults } from './faults.ts'
import { openLink } from './link.ts'
import { type LoadReport, type LoadWish, runLoad } from './load.ts'
import type { Chance } from './random.ts'
import { startTraffic } from './traffic.ts'
import { createTruthLog } from './truth-log.ts'

export interface SwitchOptions {
  /** Port for call control; 0 means any free port. */
  port: number
  host?: string
  id: string
  /** Default: system time. */
  clock?: SwitchClock
  /** Marks its calls as demo calls. */
  isDemo?: boolean
  /** Folder for `truth.jsonl`; without it the log is in memory only. */
  logFolder?: string
  /** Generates calls of the demo customers. */
  hasTraffic?: boolean
  /** Random source of the generated calls. */
  chance?: Chance
}

const ALIVE_MS = 5_000

/** A simulated switch: no SIP and no real carriers, but the real protocol with call control. */
export async function startSwitch(options: SwitchOptions) {
  const { port, id, host = '127.0.0.1', isDemo = false } = options
  const clock = options.clock ?? createSystemSwitchClock()
  const log = createTruthLog(options.logFolder)
  let startedAt = 0
  let waitingForControls: { count: number; tell: () => void }[] = []

  const faults = createFaults(({ frozen, reversed }) => {
    link.setFrozen(frozen)
    if (reversed === 0) events.sayGathered()
  })
  const link = await openLink({
    port,
    host,
    onConnected() {
      link.say({ type: 'hello', switch: id, software: 'Trunkline demo switch', startedAt, demo: isDemo })
      events.sayAll()
      const isEnough = ({ count }: { count: number }) => count <= link.connections()
      for (const { tell } of waitingForControls.filter(isEnough)) tell()
      waitingForControls = waitingForControls.filter((one) => !isEnough(one))
    },
    onMessage: obey,
  })
  const events = createEvents(clock, faults, link)
  const calls = createCalls({ clock, faults, link, events, log })

  function obey(message: ToSwitch) {
    const ignores: readonly string[] = faults.get().ignores
    if (message.type === 'allow') calls.allow(message)
    else if (message.type === 'refuse') calls.refuse(message)
    else if (ignores.includes(message.type)) return
    else if (message.type === 'extend') calls.extend(message)
    else if (message.type === 'hangup') calls.hangUp(message.call, 'control')
    else if (message.type === 'list') calls.list(message)
    else if (message.type === 'ack') events.acknowledge(message.ids)
    // A simulated switch has no use for phones, addresses and trunk health.
  }

  function begin() {
    // The start time identifies a switch instance, so it must differ even after a restart in the same millisecond.
    startedAt = Math.max(clock.now(), startedAt + 1)
    events.begin(startedAt)
    calls.begin(startedAt)
  }
  function sayAlive() {
    link.say({ type: 'alive', at: clock.now() })
    clock.at(clock.now() + ALIVE_MS, sayAlive)
  }
  begin()
  clock.at(clock.now() + ALIVE_MS, sayAlive)
  const traffic = startTraffic({
    clock,
    connections: link.connections,
    place: calls.place,
    emit: events.emit,
    chance: options.chance ?? Math.random,
    isOn: options.hasTraffic ?? false,
  })

  return {
    id,
    clock,
    port: link.port,
    startedAt: () => startedAt,
    /** Number of connected call controls. */
    connections: link.connections,
    /** Resolves when this number is connected. */
    connected: (count = 1): Promise<void> =>
      link.connections() >= count
        ? Promise.resolve()
        : new Promise((tell) => waitingForControls.push({ count, tell })),

    place: (wish: CallWish): PlacedCall => calls.place(wish),
    hangUp: (call: string, by: 'caller' | 'callee' = 'caller'): boolean => calls.hangUp(call, by),
    /** Answers a call that rings or is about to ring. */
    answer: (call: string): boolean => calls.answer(call),
    load: (wish: LoadWish): Promise<LoadReport> => runLoad(clock, calls.place, wish),
    /** Sends an event with an ID, such as a registration. */
    emit: (event: NewEvent): void => events.emit(event),
    isTrafficOn: traffic.isOn,
    setTraffic: traffic.set,

    live: calls.live,
    /** The true outcome of every call so far. */
    truth: log.all,
    /** Recently completed calls, newest first. */
    latest: log.latest,
    /** Unacknowledged events, and a promise that resolves when there are none. */
    kept: events.kept,
    acknowledged: events.acknowledged,

    faults: (): SwitchFaults => faults.get(),
    setFaults: (change: FaultChange): SwitchFaults => faults.change(change),
    resetFaults: (): SwitchFaults => faults.reset(),
    dropConnections: link.cut,
    /** Sends bytes that are not a message. */
    sendGarbage: (bytes: Uint8Array = Buffer.from('\x00\xffnot a netstring at all')): void =>
      link.sayBytes(bytes),
    /** Simulates a crash: loses all state and comes back as a new instance, optionally after a delay. */
    die(downMs = 0) {
      link.setDown(true)
      calls.die()
      begin()
      clock.at(clock.now() + downMs, () => link.setDown(false))
    },
    async close() {
      if (!options.clock) clock.stop()
      log.flush()
      await link.close()
    },
  }
}
export type SwitchCore = Awaited<ReturnType<typeof startSwitch>>
