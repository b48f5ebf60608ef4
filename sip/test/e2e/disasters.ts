import { setTimeout as pause } from 'node:timers/promises'
import type { watchStops } from '../eventually.ts'
import { killKamailio } from '../kill-kamailio.ts'
import type { Provider } from './provider.ts'

/**
 * How much a record may differ from the time that the caller has measured. A stop delays the restart of a killed process, and the
 * caller's next BYE comes after up to the same time again.
 */
export const toleranceOf = (seconds: number, stops: ReturnType<typeof watchStops>): number =>
  seconds + (2 * stops.totalMs()) / 1_000

/** Kills of a running provider. The function names the provider of the test; outages last this long. */
export const disastersOf = (
  providerOf: () => Provider,
  outageMs: number,
): [what: string, strike: () => Promise<void>][] => [
  [
    'call control is killed and restarted',
    async () => {
      const provider = providerOf()
      await provider.killControl()
      await pause(outageMs)
      await provider.startControl()
    },
  ],
  ['Kamailio is killed', () => killKamailio(providerOf().harness.running)],
  [
    'the database is killed repeatedly',
    async () => {
      for (const over = Date.now() + outageMs; Date.now() < over; await pause(300))
        await providerOf().killDatabase()
    },
  ],
]
