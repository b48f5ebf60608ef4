import type { SwitchEvent } from '@trunkline/contract/switch-protocol'
import type { SwitchClock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { Link } from './link.ts'

type WithoutId<Event> = Event extends SwitchEvent ? Omit<Event, 'id'> : never
export type NewEvent = WithoutId<SwitchEvent>

/** Keeps events until a call control acknowledges them, and replays them to new connections. */
export function createEvents(clock: SwitchClock, faults: Faults, link: Link) {
  const kept = new Map<string, SwitchEvent>()
  let gathered: SwitchEvent[] = []
  let waiting: (() => void)[] = []
  let made = 0
  let series = ''

  const say = (event: SwitchEvent) => {
    // It was acknowledged during the delay.
    if (!kept.has(event.id)) return
    link.say(event)
    if (faults.get().doubled) link.say(event)
  }
  const sayGathered = () => {
    for (const event of gathered.splice(0).reverse()) say(event)
  }
  const send = (event: SwitchEvent) => {
    const { reversed, delay_ms, jitter_ms } = faults.get()
    if (reversed > 0) {
      gathered.push(event)
      if (gathered.length >= reversed) sayGathered()
    } else if (delay_ms + jitter_ms > 0) {
      clock.at(clock.now() + delay_ms + Math.round(Math.random() * jitter_ms), () => say(event))
    } else say(event)
  }
  const forget = (ids: Iterable<string>) => {
    for (const id of ids) kept.delete(id)
    if (kept.size === 0) for (const tell of waiting.splice(0)) tell()
  }

  return {
    /** IDs contain the start time, so that they are unique across restarts. */
    begin(startedAt: number) {
      series = startedAt.toString(36)
      gathered = []
      forget([...kept.keys()])
    },
    emit(event: NewEvent) {
      made += 1
      const whole = { ...event, id: `${series}.${made}` } as SwitchEvent
      kept.set(whole.id, whole)
      send(whole)
    },
    acknowledge: forget,
    sayAll() {
      for (const event of kept.values()) link.say(event)
    },
    sayGathered,
    kept: () => [...kept.values()],
    /** Resolves when all events so far are acknowledged. */
    acknowledged: (): Promise<void> =>
      kept.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    stop() {
      waiting = []
    },
  }
}
export type Events = ReturnType<typeof createEvents>
