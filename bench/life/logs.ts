import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Provider } from './provider.ts'
import type { Verdict } from './records.ts'

const ERROR_LEVEL = 50
const WARN_LEVEL = 40

/** Log sizes after startup; earlier lines are ignored. */
export async function lengthsOfLogs(provider: Provider): Promise<number[]> {
  return (await logsOfOthers(provider)).map(([, text]) => text.length)
}

/** One Kamailio error is expected: when its own second BYE comes too late, route/call-timeout.cfg sends it. */
const logsOfOthers = async (provider: Provider) =>
  [
    ['PostgreSQL', await provider.postgresLog(), /\b(ERROR|FATAL|PANIC):/],
    [
      'Kamailio',
      await read(provider, 'kamailio.log'),
      /\b(ERROR|CRITICAL|ALERT)\b(?!.*terminating non-confirmed dialogs)/,
    ],
    ['rtpengine', await read(provider, 'rtpengine.log'), /\b(ERR|CRIT):/],
  ] as const

/** Warnings and errors in the product's own logs. */
export async function judgeLogs(provider: Provider, before: readonly number[]): Promise<Verdict> {
  const faults: string[] = []
  const warnings = new Map<string, number>()
  let lines = 0
  for (const { name } of provider.parts)
    for (const text of (await provider.log(name)).split('\n')) {
      lines++
      if (!text.startsWith('{')) continue
      const { level, msg, err } = JSON.parse(text) as {
        level: number
        msg: string
        err?: { message: string }
      }
      if (level >= ERROR_LEVEL) faults.push(`${name}: ${msg}: ${err?.message ?? text.slice(0, 200)}`)
      else if (level === WARN_LEVEL)
        warnings.set(`${name}: ${msg}`, (warnings.get(`${name}: ${msg}`) ?? 0) + 1)
    }
  for (const [index, [name, text, pattern]] of (await logsOfOthers(provider)).entries())
    for (const one of text.slice(before[index]).split('\n')) {
      lines++
      if (pattern.test(one)) faults.push(`${name}: ${one.slice(0, 300)}`)
    }
  for (const [what, times] of warnings) console.log(`  warning, ${times} times: ${what}`)
  return { what: 'logs without an error', of: `${lines.toLocaleString('en')} lines`, faults }
}

const read = ({ switchFolder }: Provider, name: string) =>
  readFile(join(switchFolder, name), 'utf8').catch(() => '')

/** RTP packets relayed, from rtpengine's statistics. */
export async function packetsRelayed(provider: Provider): Promise<number> {
  const port = /MY_MEDIA_PORT\|(\d+)\|/.exec(await read(provider, 'kamailio.cfg'))?.[1]
  const socket = createSocket('udp4')
  try {
    socket.send('life d7:command10:statisticse', Number(port), '127.0.0.1')
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(3_000) })) as [Buffer]
    return Number(/14:relayedpacketsi(\d+)e/.exec(answer.toString('latin1'))?.[1] ?? 0)
  } finally {
    socket.close()
  }
}
