import { setTimeout as pause } from 'node:timers/promises'
import type { Person, Random } from './person.ts'
import { adminFrame, adminScreens, portalScreens, type Screen } from './screens.ts'
import { createLiveStream, EVERYBODYS, type LiveStream, OWN } from './stream.ts'

/** A browser window: a stream of live calls, and a screen that polls, followed by other screens. */
export type Browser = { stream: LiveStream; stop(): Promise<void> }

const AFTER_CALLS_MS = 10_000

export function openBrowser(
  person: Person,
  isAdmin: boolean,
  urls: readonly string[],
  random: Random,
  /** All windows open within this time. */
  comingMs: number,
): Browser {
  const leaving = new AbortController()
  const { signal } = leaving
  const stream = createLiveStream(person, isAdmin ? EVERYBODYS : OWN, urls)
  const wait = (ms: number) => pause(Math.max(1, ms), undefined, { signal })
  const screens = isAdmin ? adminScreens : portalScreens

  /** Shows a screen for a while and polls its requests as the web app does. */
  async function look({ once, every = [], afterCalls = [] }: Screen): Promise<void> {
    const over = Date.now() + random.between(8_000, 40_000)
    await Promise.all(once.map(person.read))
    const again = async (firstMs: number, ms: number, act: () => Promise<unknown>) => {
      await wait(Math.min(firstMs, over - Date.now()))
      for (; Date.now() < over; await wait(Math.min(ms, over - Date.now()))) await act()
    }
    let seen = endedCalls(stream)
    await Promise.all([
      ...[...every, ...(isAdmin ? adminFrame : [])].map(([ms, ask]) =>
        again(random.between(1, ms), ms, () => person.read(ask)),
      ),
      again(AFTER_CALLS_MS, AFTER_CALLS_MS, async () => {
        if (endedCalls(stream) === seen) return
        seen = endedCalls(stream)
        await Promise.all(afterCalls.map(person.read))
      }),
    ])
  }

  async function live(): Promise<void> {
    await wait(random.below(comingMs))
    stream.open()
    for (;;) await look(random.of(screens))
  }

  /** Disconnects now and then, and may reconnect to another API process. */
  async function comeAndGo(): Promise<void> {
    await wait(comingMs)
    for (;;) {
      await wait(random.between(20_000, 90_000))
      await stream.close()
      await wait(random.between(100, 4_000))
      stream.open(random.below(5) === 0)
    }
  }

  const unlessLeaving = (error: unknown) => {
    if (!signal.aborted) throw error
  }
  const tasks = [live().catch(unlessLeaving), comeAndGo().catch(unlessLeaving)]
  return {
    stream,
    /** Stops polling and disconnecting; opens the stream if it is closed. */
    async stop() {
      leaving.abort()
      await Promise.all(tasks)
      stream.open()
    },
  }
}

const endedCalls = ({ watches }: LiveStream): number => watches.at(-1)?.ended.size ?? 0
