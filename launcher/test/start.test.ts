import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  dataFolder,
  freePort,
  health,
  isRunning,
  post,
  preparedFolder,
  signIn,
  startPortal,
  trunkline,
} from './portal-process.ts'

const databasePid = async (data: string) =>
  Number((await readFile(join(data, 'database/postgres/postmaster.pid'), 'utf8')).split('\n')[0])

const refusal = async (args: string[], env: Record<string, string> = {}) => {
  const command = trunkline(['start', ...args], { env })
  const code = await command.ended
  return { code, lines: command.output().trim().split('\n') }
}

describe('./trunkline start', () => {
  it('starts a portal that accepts sign-ins, stops cleanly, and keeps its data over a restart with stale pid files', async () => {
    const data = await dataFolder()
    const metricsPort = await freePort()
    const first = await startPortal(data, { env: { METRICS_PORT: String(metricsPort) } })
    expect(first.output()).toContain(`Trunkline is ready at ${first.url}`)
    expect(first.output()).toContain('admin  / trunkline-admin')
    expect(await health(first.url)).toBe(true)
    // Metrics are served on their own port only.
    const fetchMetrics = (path: string) => fetch(`http://127.0.0.1:${metricsPort}${path}`)
    await expect.poll(async () => (await fetchMetrics('/ready')).status).toBe(200)
    const metrics = await (await fetchMetrics('/metrics')).text()
    for (const name of ['http_requests_total{', 'switches{state="ready"}', 'job_lag_seconds{'])
      expect(metrics).toContain(`trunkline_${name}`)
    for (const path of ['/metrics', '/ready', '/api/metrics'])
      expect((await fetch(first.url + path)).status).toBe(404)
    for (const [name, rights] of [
      ['admin', { is_admin: true, is_premium: false }],
      ['alice', { is_admin: false, is_premium: false }],
      ['paula', { is_admin: false, is_premium: true }],
    ] as const) {
      const { answer } = await signIn(first.url, name, `trunkline-${name}`)
      expect(answer.user).toMatchObject({ username: name, ...rights })
    }
    await post(`${first.url}/register`, { username: 'newcomer', password: 'long enough' })

    const database = await databasePid(data)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(await isRunning(database)).toBe(false)
    await expect(fetch(first.url)).rejects.toThrow()

    // As after a machine crash: the process IDs now belong to other processes.
    await writeFile(join(data, 'trunkline.pid'), `${process.pid} 1`)
    await writeFile(join(data, 'database/postgres/postmaster.pid'), `${process.pid}\n`)
    const second = await startPortal(data)
    expect((await signIn(second.url, 'newcomer', 'long enough')).status).toBe(200)
    second.child.kill('SIGINT')
    expect(await second.ended).toBe(0)
  })

  it('loses no acknowledged write after a kill -9', async () => {
    const data = await preparedFolder()
    const env = { REGISTRATIONS_PER_HOUR: '100000' }
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const portal = await startPortal(data, { env })
      let attempts = 0
      const enough = acknowledged.length + 25
      const writer = async () => {
        for (;;) {
          const username = `writer-${round}-${attempts++}`
          const answer = await post(`${portal.url}/register`, { username, password: 'long enough' }).catch(
            () => null,
          )
          if (!answer) return
          if (answer.status === 200) acknowledged.push(username)
          if (acknowledged.length >= enough) portal.child.kill('SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: 8 }, writer))
      expect(await portal.ended).toBe('SIGKILL')
    }
    const portal = await startPortal(data, { env })
    expect(acknowledged.length).toBeGreaterThanOrEqual(75)
    for (const username of acknowledged)
      expect((await post(`${portal.url}/register`, { username, password: 'long enough' })).status).toBe(409)
  })

  it('while running, locks its data folder, lets a command create an administrator and restarts a killed database', async () => {
    const portal = await startPortal(await preparedFolder())
    const { url, data } = portal
    const { code, lines } = await refusal(['--port', String(await freePort()), '--data', data])
    expect(code).toBe(1)
    expect(lines).toEqual([
      `Another Trunkline (process ${portal.child.pid}) is using the data folder ${data}. Stop it, or choose another folder with --data.`,
    ])
    expect(await health(url)).toBe(true)

    const args = ['admin', 'create', 'second', '--password-stdin', '--data', data]
    const create = trunkline(args, { input: 'chosen by hand\n' })
    expect(await create.ended).toBe(0)
    expect(create.output()).not.toContain('chosen')
    expect((await signIn(url, 'second', 'chosen by hand')).answer.user).toMatchObject({ is_admin: true })
    const again = trunkline(args, { input: 'chosen by hand\n' })
    expect(await again.ended).toBe(1)
    expect(again.output().trim()).toBe('An account with this username already exists')

    const killed = await databasePid(data)
    process.kill(killed, 'SIGKILL')
    const isAnother = () =>
      databasePid(data)
        .then((pid) => pid !== killed)
        .catch(() => false)
    while (!(await isAnother()) || (await health(url)) !== true) await pause(50)
    expect((await signIn(url, 'alice', 'trunkline-alice')).status).toBe(200)
  })

  it.runIf(process.getuid?.() === 0)('works for an ordinary user', async () => {
    const nobody = { uid: 65_534, gid: 65_534 }
    const data = await dataFolder()
    const { chown } = await import('node:fs/promises')
    await chown(data, nobody.uid, nobody.gid)
    const portal = await startPortal(data, { as: nobody, env: { HOME: data } })
    expect((await signIn(portal.url, 'alice', 'trunkline-alice')).status).toBe(200)
    portal.child.kill('SIGTERM')
    expect(await portal.ended).toBe(0)
  })
})

describe('./trunkline start explains in one line what is wrong', () => {
  it('when the port is in use', async () => {
    const occupant = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => occupant.listen(port, 'localhost', resolve))
    onTestFinished(() => void occupant.close())
    expect(await refusal(['--port', String(port), '--data', await dataFolder()])).toEqual({
      code: 1,
      lines: [
        `Port ${port} is in use. Choose another port with --port. A demo also uses the next three ports, if they are free.`,
      ],
    })
    const settings = { METRICS_PORT: String(port), METRICS_HOST: 'localhost' }
    const free = String(await freePort())
    expect((await refusal(['--port', free, '--data', await dataFolder()], settings)).lines).toEqual([
      `Port ${port} is in use. Choose another port with METRICS_PORT.`,
    ])
  })

  it('when the port is not a number', async () => {
    expect((await refusal(['--port', 'eighty'])).lines).toEqual([
      'The port must be a number from 1 to 65535, not "eighty".',
    ])
  })

  it('when the data folder is not writable', async () => {
    const port = String(await freePort())
    expect(await refusal(['--port', port, '--data', '/dev/null/data'])).toEqual({
      code: 1,
      lines: ['Cannot write to the data folder /dev/null/data. Choose another folder with --data.'],
    })
  })

  it('when the embedded database cannot start, with its error message', async () => {
    const data = await dataFolder()
    const port = String(await freePort())
    await mkdir(join(data, 'database/postgres'), { recursive: true })
    await writeFile(join(data, 'database/postgres/PG_VERSION'), '9\n')
    await writeFile(join(data, 'database/postgres.password'), 'secret')
    const { code, lines } = await refusal(['--port', port, '--data', data])
    expect([code, lines[0]]).toEqual([
      1,
      expect.stringContaining('The embedded database ended while starting.'),
    ])
    expect(lines[1]).toContain('could not access the server configuration file')
    expect(lines.length).toBeLessThan(5)
  })

  it('when the database is unreachable, without printing its password', async () => {
    const env = { DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/portal' }
    const { code, lines } = await refusal(
      ['--port', String(await freePort()), '--data', await dataFolder()],
      env,
    )
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringContaining('Cannot connect to the database at 127.0.0.1:1/portal:')])
    expect(lines.join()).not.toContain('hush')
  })
})
