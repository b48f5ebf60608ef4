import { spawn } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from '../../server/test/database.ts'
import { dataFolder, freePort, preparedFolder, signIn, startPortal, trunkline } from './portal-process.ts'
import { outcome, ownDatabase, settings } from './production-settings.ts'

const PATIENCE = { timeout: 60_000 }

/** The timeout is generous, because the machine may be busy. */
const healthOf = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(10_000) })
  return response.status
}

async function startProduction(url: string, env: Record<string, string>) {
  const port = await freePort()
  const portal = await startPortal(await dataFolder(), { env: { ...settings(url), ...env } }, port)
  return { ...portal, port }
}

it('serves requests and metrics and stops while the log disk is full, and reopens a rotated log file', async () => {
  const url = await ownDatabase()
  const metricsPort = await freePort()
  const full = await startProduction(url, { LOG_FILE: '/dev/full', METRICS_PORT: String(metricsPort) })
  for (let request = 0; request < 20; request++) expect(await healthOf(full.port)).toBe(200)
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  await expect.poll(metrics, PATIENCE).toMatch(/^trunkline_log_lines_lost_total [1-9]/m)
  for (const folder of ['data', 'log'])
    expect(await metrics()).toMatch(
      new RegExp(`^trunkline_disk_free_bytes\\{folder="${folder}"\\} \\d+$`, 'm'),
    )
  full.child.kill('SIGTERM')
  expect(await full.ended).toBe(0)

  const file = join(await dataFolder(), 'trunkline.log')
  const portal = await startProduction(url, { LOG_FILE: file })
  const lines = async () => await readFile(file, 'utf8').catch(() => '')
  await expect.poll(lines, PATIENCE).toContain('Server listening')
  await rename(file, `${file}.1`)
  portal.child.kill('SIGHUP')
  await expect
    .poll(async () => {
      expect(await healthOf(portal.port)).toBe(200)
      return await lines()
    }, PATIENCE)
    .toContain('/api/health')
})

it('reports 503 on its health endpoint within four seconds while PostgreSQL is frozen', async () => {
  const url = await ownDatabase()
  const { port } = await startProduction(url, { LOG_LEVEL: 'silent' })
  expect(await healthOf(port)).toBe(200)
  const pids = (await ask(url, 'select pid from pg_stat_activity')).map(({ pid }) => Number(pid))
  const [main] = await ask(
    url,
    `select (string_to_array(pg_read_file('postmaster.pid'), E'\\n'))[1]::int as pid`,
  )
  const postgresPids = [Number(main?.pid), ...pids]
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of postgresPids) {
      try {
        process.kill(pid, signal)
      } catch {
        // The process has exited.
      }
    }
  }
  onTestFinished(() => signalAll('SIGCONT'))
  signalAll('SIGSTOP')
  for (let request = 0; request < 3; request++) {
    const startedAt = performance.now()
    expect(await healthOf(port)).toBe(503)
    expect(performance.now() - startedAt).toBeLessThan(4_000)
  }
  signalAll('SIGCONT')
  await expect.poll(() => healthOf(port), PATIENCE).toBe(200)
})

describe('with PgBouncer', () => {
  async function pooled(url: string, mode: 'session' | 'transaction'): Promise<string> {
    const folder = await dataFolder()
    const { hostname, port, username, password, pathname } = new URL(url)
    const own = await freePort()
    const file = join(folder, 'pgbouncer.ini')
    await writeFile(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
    await writeFile(
      file,
      `[databases]\n* = host=${hostname} port=${port} password=${decodeURIComponent(password)}
[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = plain
auth_file = ${join(folder, 'users')}\npool_mode = ${mode}\n${process.getuid?.() === 0 ? 'user = postgres' : ''}\n`,
    )
    const { chmod } = await import('node:fs/promises')
    for (const path of [folder, file, join(folder, 'users')]) await chmod(path, 0o755)
    const child = spawn('/usr/sbin/pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'] })
    let words = ''
    child.stderr.on('data', (chunk) => {
      words += chunk
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await ended
    })
    await expect.poll(() => words, PATIENCE).toContain('process up')
    return `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`
  }

  it('runs every part in session mode', async () => {
    const env = settings(await pooled(await ownDatabase(), 'session'))
    expect(await outcome(['admin', 'create', 'boss'], env)).toMatchObject({ code: 0 })
    const { port } = await startProduction(env.DATABASE_URL, { LOG_LEVEL: 'silent' })
    expect(await healthOf(port)).toBe(200)
    expect((await signIn(`http://127.0.0.1:${port}`, 'boss', 'wrong')).status).toBe(401)
  })

  it('runs a worker in transaction mode, and explains why the API and call control need session mode', async () => {
    const direct = await ownDatabase()
    const env = { ...settings(await pooled(direct, 'transaction')), LOG_LEVEL: 'silent' }
    for (const part of ['api', 'callcontrol'])
      expect(await outcome(['run', part, '--port', String(await freePort())], env)).toEqual({
        code: 1,
        said: expect.stringContaining('DATABASE_URL leads through a pooler in transaction mode.'),
      })
    const worker = trunkline(['run', 'worker'], { env })
    await expect.poll(worker.output, PATIENCE).toContain('worker is ready')
    const done = `select from pgboss.job where name = 'reconcile-payments' and state = 'completed'`
    await expect.poll(async () => (await ask(direct, done)).length, PATIENCE).toBeGreaterThan(0)
  })
})

describe('explains a configuration error in one line', () => {
  it('when the role does not own its database', async () => {
    const url = await ownDatabase()
    await ask(url, `create role stranger login password 'secret'`)
    const strange = Object.assign(new URL(url), { username: 'stranger', password: 'secret' }).href
    for (const args of [['run', 'worker'], ['admin', 'create', 'boss'], ['check-books']]) {
      const { code, said } = await outcome(args, settings(strange))
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/^The role cannot .*alter database NAME owner to ROLE".$/),
      ])
    }
  })

  it('when none of several database hosts accepts writes', async () => {
    const hosts = 'postgres://u:p@127.0.0.1:1,nowhere.invalid:5432/portal'
    for (const args of [['start'], ['run', 'api'], ['admin', 'create', 'boss'], ['check-books']])
      expect(await outcome(args, settings(hosts))).toEqual({
        code: 1,
        said: 'No host of the database accepts writes: 127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1), nowhere.invalid:5432 (the name does not resolve). Check that one of them is running as the primary.',
      })
    const url = await ownDatabase()
    const oneOfThem = url.replace('@', '@nowhere.invalid:5432,')
    const worker = trunkline(['run', 'worker'], { env: { ...settings(oneOfThem), LOG_LEVEL: 'warn' } })
    await expect.poll(worker.output, PATIENCE).toContain('worker is ready')
    expect(worker.output()).toMatch(/nowhere\.invalid:5432.*database host is unreachable/)
  })

  it('when several database hosts are malformed, the log file is not writable or TRUST_PROXY names no proxy', async () => {
    const hosts = 'postgres://u:p@one.example:5432,two.example:x/portal'
    const words = 'DATABASE_URL must be an address such as postgres://'
    for (const args of [['start'], ['run', 'api'], ['admin', 'create', 'boss']]) {
      const { code, said } = await outcome(args, settings(hosts))
      expect([code, said]).toEqual([1, expect.stringContaining(words)])
      expect(said).not.toContain('    at ')
    }
    const demo = await outcome(['start', '--data', await dataFolder()], { DATABASE_URL: hosts })
    expect(demo).toEqual({ code: 1, said: expect.stringMatching(new RegExp(`^${words}`)) })
    const url = await ownDatabase()
    const log = await outcome(['run', 'worker'], { ...settings(url), LOG_FILE: '/dev/null/log' })
    expect(log).toEqual({
      code: 1,
      said: expect.stringMatching(/^The log file \/dev\/null\/log cannot be opened/),
    })
    const proxy = await outcome(['run', 'api'], { ...settings(url), TRUST_PROXY: 'yes' })
    expect(proxy).toEqual({ code: 1, said: expect.stringContaining('TRUST_PROXY must name the proxies') })
  })

  it('when a sandbox port is in use: it chooses another port, or names the port that was requested', async () => {
    const { createServer } = await import('node:net')
    const port = await freePort()
    const occupant = createServer()
    await new Promise<void>((resolve) => occupant.listen(port + 1, '127.0.0.1', resolve))
    onTestFinished(() => void occupant.close())
    const env = { METRICS_PORT: String(port + 2) }
    const portal = await startPortal(await preparedFolder(), { env }, port)
    expect(portal.output()).toContain(`Port ${port + 1} is in use. The demo mailbox uses another port`)
    expect(portal.output()).toContain(`Port ${port + 2} is in use. The demo payment page uses another port`)
    portal.child.kill('SIGTERM')
    await portal.ended

    const requested = { SANDBOX_CARRIER_PORT: String(port + 1) }
    const { createSocket } = await import('node:dgram')
    const udpSocket = createSocket('udp4')
    await new Promise<void>((resolve) => udpSocket.bind(port + 1, '127.0.0.1', resolve))
    onTestFinished(() => void udpSocket.close())
    const failed = await outcome(
      ['start', '--port', String(await freePort()), '--data', await preparedFolder()],
      requested,
    )
    expect(failed.code).toBe(1)
    expect(failed.said).toContain(`Could not start the demo sandbox: port ${port + 1} is in use.`)
    expect(failed.said).not.toContain('    at ')
  })
})
