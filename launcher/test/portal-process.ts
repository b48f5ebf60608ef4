import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../paths.ts'
import { nextPorts } from './ports.ts'
import { putDatabase } from './prepared-database.ts'

/** A running `./trunkline` command. */
export type Command = {
  child: ChildProcess
  output(): string
  /** The exit code or the signal. */
  ended: Promise<number | string>
}

type Options = { env?: Record<string, string>; as?: { uid: number; gid: number }; input?: string }

export function trunkline(args: string[], { env = {}, as, input }: Options = {}): Command {
  const command = [join(root, 'trunkline'), ...args]
  const [program = '', ...rest] = as
    ? ['setpriv', `--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups', ...command]
    : command
  // No generated calls and no switch by default: the calls would change the balances that tests check.
  const child = spawn(program, rest, {
    env: { ...process.env, SANDBOX_TRAFFIC: 'off', TRUNKLINE_SWITCH: 'off', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  )
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  return { child, output: () => output, ended }
}

export type PortalProcess = Command & { url: string; data: string }

/** Starts a portal and waits until it is ready. */
export async function startPortal(
  data: string,
  options: Options = {},
  port?: number,
): Promise<PortalProcess> {
  const chosen = port ?? (await freePort())
  const command = trunkline(['start', '--port', String(chosen), '--data', data], options)
  await new Promise<void>((resolve, reject) => {
    command.child.stdout?.on('data', () => {
      if (command.output().includes('Trunkline is ready at')) resolve()
    })
    command.ended.then((code) => reject(new Error(`ended with ${code} while starting:\n${command.output()}`)))
  })
  return { ...command, data, url: `http://localhost:${chosen}` }
}

export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-data-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder that has an empty database already. */
export async function preparedFolder(): Promise<string> {
  const folder = await dataFolder()
  await putDatabase(join(folder, 'database'))
  return folder
}

const PORTS_OF_A_PORTAL = 4

/** A free port whose next three ports, used by the sandbox, are free too. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPorts(PORTS_OF_A_PORTAL)
    const wanted = Array.from({ length: PORTS_OF_A_PORTAL }, (_, index) => port + index)
    if ((await Promise.all(wanted.map(isFree))).every(Boolean)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, 'localhost', () => probe.close(() => resolve(true)))
  })

export async function post(
  url: string,
  body: object,
  token?: string,
): Promise<{ status: number; answer: Record<string, unknown> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}

export const health = async (url: string): Promise<unknown> => (await fetch(`${url}/api/health`)).json()

export const signIn = (url: string, username: string, password: string) =>
  post(`${url}/api/auth/login`, { username, password })

export async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return state !== '' && !/\) Z /.test(state)
}
