import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdministrator } from '@trunkline/server/main/create-administrator'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { root } from '../../launcher/paths.ts'
import { startSandbox } from '../../launcher/sandbox.ts'
import { stopProcess } from '../stop-process.ts'

/** Runs every part in its own process, with the commands of docs/operations.md. */
export type Provider = Awaited<ReturnType<typeof startProvider>>

export const ADMINISTRATOR = { username: 'boss', password: 'the boss of the benchmark' }
const LOOPBACK = '127.0.0.1'
const PARTS = ['api-1', 'api-2', 'worker-1', 'callcontrol-1', 'callcontrol-2'] as const
const PATIENCE_MS = 120_000
/** Size of a port block. */
const BLOCK = 150
/** Offset of the metrics ports in the block. */
const METRICS = 14

type Part = { name: string; child: ChildProcess; log: string; metricsPort?: number }

export async function startProvider() {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-life-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const endAll = async () => {
    for (const end of ends.splice(0).reverse()) await end().catch(() => {})
  }
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= endAll()
    return closing
  }
  try {
    const postgres = await startEmbeddedPostgres(join(folder, 'database'))
    ends.push(postgres.close)
    await createAdministrator(postgres.url, ADMINISTRATOR, 'production')
    const block = await freeBlock()
    // SIP also uses the next port; the sandbox uses the ports from offset 10.
    const [firstApi, secondApi, controlPort, sipPort] = [block, block + 1, block + 2, block + 3]
    let lastPort = block + 20
    const sandbox = await startSandbox(join(folder, 'sandbox'), firstApi + 10)
    ends.push(sandbox.close)
    await mkdir(join(folder, 'log'))
    const parts: Part[] = []
    const run = (name: string, args: readonly string[], env: Record<string, string>): Part => {
      const part: Part = { name, ...spawned(args, env, join(folder, 'log', name)) }
      parts.push(part)
      ends.push(() => stopProcess(part.child))
      return part
    }

    const switchArgs = [
      '--control-port',
      String(controlPort),
      '--sip-port',
      String(sipPort),
      '--data',
      folder,
    ]
    const media = { SIP_HOST: LOOPBACK, SIP_MEDIA_PORTS: '61000-65499' }
    const theSwitch = run('switch', ['switch', ...switchArgs], { ...media, SIP_SWITCH_ID: 'sw-1' })
    await said(theSwitch, 'The switch is ready.')

    const settings = {
      NODE_ENV: 'production',
      DATABASE_URL: postgres.url,
      HOST: LOOPBACK,
      ...sandbox.settings,
      CALLER_IDS: 'any',
      // All browsers have one address here.
      PROMO_REDEMPTIONS_PER_ADDRESS: '100000',
      SWITCHES: `${LOOPBACK}:${controlPort}`,
      SIP_PORT: String(sipPort),
      PUBLIC_URL: `http://${LOOPBACK}:${firstApi}`,
      MAIL_FROM: 'no-reply@trunkline.example',
      SUPPORT_EMAIL: 'support@trunkline.example',
      SUPPORT_PHONE: '1-800-555-0199',
    }
    for (const name of PARTS) {
      const port = String(name === 'api-2' ? secondApi : firstApi)
      // Sequentially: the first one creates the database and builds the web app.
      const metricsPort = block + METRICS + PARTS.indexOf(name)
      const part = run(name, ['run', name, '--port', port], {
        ...settings,
        METRICS_PORT: String(metricsPort),
      })
      part.metricsPort = metricsPort
      await said(part, `${name} is ready`)
    }
    return {
      folder,
      /** A port for SIPp. */
      nextPort: () => (lastPort += 6),
      databaseUrl: postgres.url,
      sipPort,
      urls: [firstApi, secondApi].map((port) => `http://${LOOPBACK}:${port}`),
      paymentUrl: sandbox.settings.OXAPAY_BASE_URL ?? '',
      sandboxCarrier: Number(sandbox.carrier.split(':')[1]),
      parts: parts as readonly Part[],
      switchFolder: join(folder, 'switch'),
      log: async (name: string) => await readFile(join(folder, 'log', name), 'utf8'),
      postgresLog: () => readFile(join(folder, 'database', 'postgres.log'), 'utf8'),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function spawned(args: readonly string[], env: Record<string, string>, log: string) {
  const output = openSync(log, 'a')
  const child = spawn(join(root, 'trunkline'), args, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', output, output],
    // Its own process group, so that Ctrl-C reaches only this process.
    detached: true,
  })
  closeSync(output)
  return { child, log }
}

async function said({ name, child, log }: Part, words: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(100)) {
    const text = await readFile(log, 'utf8')
    if (text.includes(words)) return
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${name} did not start:\n${text}`)
  }
}

/** A block of ports below the ephemeral range. */
async function freeBlock(): Promise<number> {
  for (let first = 7_000 + (process.pid % 30) * BLOCK; first < 12_500; first += BLOCK) {
    const wanted = [0, 1, 2, 3, 4, 10, 11, 12, 13].map((step) => first + step)
    if ((await Promise.all(wanted.map(isFree))).every(Boolean)) return first
  }
  throw new Error('no free block of ports')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, LOOPBACK, () => probe.close(() => resolve(true)))
  })
