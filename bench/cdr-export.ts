import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { system } from '@trunkline/domain/access'
import { fileOfCdrs } from '@trunkline/server/features/calls/cdr/csv-store'
import { saveSetting } from '@trunkline/server/features/identity/service-settings/store'
import { copyOf } from '@trunkline/server/platform/csv'
import type { Database } from '@trunkline/server/platform/database'
import { freePort } from '@trunkline/server/platform/free-port'
import { PROFILE_SETTING } from '@trunkline/server/platform/profile'

/** The export of all call records by an API process, compared with psql and the same statement. */
export async function measureExport(db: Database, url: string, rows: number): Promise<void> {
  // Without it, a database with users counts as one of production, which the demo refuses.
  await saveSetting(db, PROFILE_SETTING, 'demo', new Date())
  const port = await freePort()
  const program = fileURLToPath(import.meta.resolve('@trunkline/server/main/api'))
  // The same flags as `./trunkline run api`.
  const api = spawn(process.execPath, ['--max-semi-space-size=2', program], {
    env: { ...process.env, DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const token = await signIn(api, port)
    const { statement } = copyOf(fileOfCdrs(db, system('benchmark'), {}, 'UTC'))
    // Warm up, so that both read from memory.
    await copyByPsql(url, statement)
    const restMb = await memoryMb(api)
    const taken = await download(port, token, () => memoryMb(api))
    const psqlMs = await copyByPsql(url, statement)
    const perSecond = (ms: number) => `${Math.round((rows / ms) * 1_000).toLocaleString('en')} rows/s`
    console.log(
      `  CSV: first byte ${taken.firstByteMs.toFixed(0)} ms, ${taken.lines.toLocaleString('en')} lines, ${perSecond(taken.ms)}; ` +
        `private memory ${restMb} MB at rest, ${taken.peakMb} MB at most`,
    )
    if (psqlMs === null) console.log('  psql is not installed, so there is no ratio')
    else console.log(`  psql: ${perSecond(psqlMs)}; ratio API to psql ${(psqlMs / taken.ms).toFixed(2)}`)
  } finally {
    if (api.kill('SIGTERM')) await new Promise((resolve) => api.once('exit', resolve))
  }
}

/** The demo profile's administrator. */
async function signIn(api: ChildProcess, port: number): Promise<string> {
  while (api.exitCode === null)
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: 'trunkline-admin' }),
      })
      return ((await response.json()) as { token: string }).token
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  throw new Error('the API exited during startup')
}

type Downloaded = { firstByteMs: number; ms: number; lines: number; peakMb: number }

function download(
  port: number,
  token: string,
  watch: () => Promise<number> = async () => 0,
): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    let [firstByteMs, lines, peakMb] = [0, 0, 0]
    const watching = setInterval(async () => {
      peakMb = Math.max(peakMb, await watch())
    }, 100)
    const request = get(
      { host: '127.0.0.1', port, path: '/api/admin/cdr.csv', headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          firstByteMs ||= performance.now() - began
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
        })
        response.once('error', reject)
        response.once('end', () => {
          clearInterval(watching)
          resolve({ firstByteMs, ms: performance.now() - began, lines, peakMb })
        })
      },
    )
    request.once('error', reject)
  })
}

/** Private memory: all processes share the 60 MB of the program file. */
async function memoryMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}

/** Null without psql. */
function copyByPsql(url: string, statement: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const psql = spawn('psql', [url, '-qAt', '-c', statement], { stdio: ['ignore', 'ignore', 'inherit'] })
    psql.once('error', () => resolve(null))
    psql.once('exit', (code) =>
      code === 0 ? resolve(performance.now() - began) : reject(new Error(`psql ended with ${code}`)),
    )
  })
}
