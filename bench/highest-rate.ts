import { nextPort } from '../sip/test/harness.ts'
import { runSipp, type SippOptions, type SippRun } from '../sip/test/sipp.ts'

/** The highest rate that SIPp sustains: few failures and no delay. */

export const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
export const FIRST_RATE = Number(process.env.BENCH_FIRST ?? 100)
const GROWTH = Number(process.env.BENCH_GROWTH ?? 1.4)
const HALVINGS = Number(process.env.BENCH_HALVINGS ?? 3)
export const MAX_FAILURES = 0.001

/** A carrier that takes calls until it is stopped. */
export const startEndlessCarrier = (more: Partial<SippOptions>): Promise<SippRun> =>
  runSipp({ scenario: 'carrier', port: nextPort(), calls: 10_000_000, timeoutSeconds: 3_600, ...more })

export type Offered = Omit<SippOptions, 'port' | 'calls' | 'perSecond'>

/** An account can have ten phones, so all registrations use the same phone. */
const phonePort = nextPort()

async function holds(offered: Offered, perSecond: number): Promise<boolean> {
  const calls = Math.round(perSecond * SECONDS)
  const began = performance.now()
  const run = await runSipp({
    ...offered,
    calls,
    perSecond,
    timeoutSeconds: SECONDS * 2 + 5,
    recvTimeoutMs: 5_000,
    port: offered.scenario === 'register' ? phonePort : nextPort(),
  })
  const { exitCode, successful, errors } = await run.ended
  if (exitCode === null || exitCode >= 254) throw new Error(`SIPp failed: ${errors}`)
  const took = (performance.now() - began) / 1_000
  const isHeld = calls - successful < Math.max(1, calls * MAX_FAILURES) && took < SECONDS * 1.25 + 1
  process.stderr.write(`    ${perSecond}/s: ${successful} of ${calls} in ${took.toFixed(1)} s\n`)
  return isHeld
}

/** Increases the rate until it fails, then bisects. */
export async function highest(what: string, offered: Offered, first: number): Promise<number> {
  let held = 0
  let tooMuch = first
  // Retry, because the first run may be cold.
  while ((await holds(offered, tooMuch)) || (await holds(offered, tooMuch))) {
    held = tooMuch
    tooMuch = Math.round(tooMuch * GROWTH)
  }
  for (let step = 0; step < HALVINGS && tooMuch - held > held * 0.05; step++) {
    const between = Math.round((held + tooMuch) / 2)
    if (await holds(offered, between)) held = between
    else tooMuch = between
  }
  console.log(`  ${what.padEnd(52)} ${held.toLocaleString('en').padStart(7)}/s`)
  return held
}
