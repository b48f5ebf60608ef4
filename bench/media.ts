import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Lateness } from './media/lateness.ts'
import { measureVoicemail } from './media/voicemail.ts'
import { processorTime } from './processor-time.ts'
import { stopProcess } from './stop-process.ts'

/**
 * Simultaneous calls of one media endpoint on one core, with the lateness of its packets, beside a bare RTP sender; and the time from a
 * key to the next prompt; and the time from the end of a call until its voicemail message can be played. See README.md.
 */

const CALLS = (process.env.BENCH_CALLS ?? '100,250,500').split(',').map(Number)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const PRESSES = Number(process.env.BENCH_KEYS ?? 100)
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 10)
const MESSAGE_SECONDS = 4
const AIM = { calls: 250, p99Ms: 5, keyP95Ms: 150, voicemailMs: 2_000 }

const isPinned = availableParallelism() > 1

/** Starts a part on its own core, so that the load does not take time of what is measured. */
async function startPart(
  name: string,
  core: number,
  env: Record<string, string> = {},
): Promise<ChildProcess> {
  const file = fileURLToPath(new URL(`media/${name}.ts`, import.meta.url))
  const child = fork(file, { env: { ...process.env, ...env } })
  if (isPinned && child.pid)
    execFileSync('taskset', ['-apc', String(core), String(child.pid)], { stdio: 'ignore' })
  return child
}

async function ask<T>(child: ChildProcess, question: string | object): Promise<T> {
  const answer = once(child, 'message')
  child.send(question)
  const [result] = await answer
  return result as T
}

type Result = Lateness & { corePercent: number }

/** Lateness and CPU time of a part over some seconds. */
async function measure(child: ChildProcess): Promise<Result> {
  await pause(2_000)
  child.send('reset')
  const used = () => processorTime().get(child.pid ?? 0)?.ms ?? 0
  const before = used()
  await pause(SECONDS * 1_000)
  const corePercent = (used() - before) / (SECONDS * 10)
  return { ...(await ask<Lateness>(child, 'lateness')), corePercent }
}

async function measureBare(calls: number): Promise<Result> {
  const phones = await startPart('phones', 1)
  const echoPort = await ask<number>(phones, 'echo')
  const sender = await startPart('bare-sender', 0, { CALLS: String(calls), ECHO_PORT: String(echoPort) })
  await once(sender, 'message')
  const result = await measure(sender)
  await Promise.all([stopProcess(sender), stopProcess(phones)])
  return result
}

async function measureEndpoint(calls: number) {
  const endpoint = await startPart('endpoint-process', 0)
  const [port] = await once(endpoint, 'message')
  const phones = await startPart('phones', 1)
  await ask(phones, { calls, port })
  const heardBefore = await ask<number>(phones, 'heard')
  const from = performance.now()
  const result = await measure(endpoint)
  const expected = (calls * (performance.now() - from)) / 20
  const share = ((await ask<number>(phones, 'heard')) - heardBefore) / expected
  const keys = PRESSES > 0 ? await ask<(number | null)[]>(phones, { presses: PRESSES }) : []
  await Promise.all([stopProcess(endpoint), stopProcess(phones)])
  // JSON has no infinity: a lost key is null.
  const times = keys.map((ms) => ms ?? Number.POSITIVE_INFINITY).toSorted((one, other) => one - other)
  return { ...result, share, keyP95: times[Math.floor(times.length * 0.95)] ?? 0 }
}

const shown = ({ p50, p99, worst, corePercent }: Result) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms, ${corePercent.toFixed(0)}% of a core`

if (!isPinned) console.log('Only one core: the load shares it with the endpoint.')
for (const calls of CALLS) {
  const bare = await measureBare(calls)
  const own = await measureEndpoint(calls)
  console.log(`${calls} calls`)
  console.log(`  bare RTP sender  ${shown(bare)}`)
  console.log(`  media endpoint   ${shown(own)}, ${(own.share * 100).toFixed(1)}% of the packets heard`)
  console.log(
    `  ratio of p99 ${(own.p99 / bare.p99).toFixed(2)}, of CPU time ${(own.corePercent / bare.corePercent).toFixed(2)}`,
  )
  if (PRESSES > 0) console.log(`  key to prompt    p95 ${own.keyP95.toFixed(0)} ms (aim ${AIM.keyP95Ms} ms)`)
  if (calls === AIM.calls) console.log(`  aim              p99 under ${AIM.p99Ms} ms`)
}

if (MESSAGES > 0) {
  const times = await measureVoicemail(MESSAGES, MESSAGE_SECONDS)
  const [median = 0, worst = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
  console.log(`${MESSAGES} voicemail messages of ${MESSAGE_SECONDS} s`)
  console.log(
    `  hang-up to sound p50 ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms (aim ${AIM.voicemailMs} ms)`,
  )
}
