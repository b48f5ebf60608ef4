import { readdir, readFile } from 'node:fs/promises'
import { startDemoSwitch } from '@trunkline/sandbox/switch/start'
import { expect, it, onTestFinished } from 'vitest'
import { freePort, isRunning, startPortal } from './portal-process.ts'
import { createProvider, productionSettings, until } from './provider.ts'

/** Child processes of `parent` that run this file. */
async function childrenOf(parent: number, file: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      const parentOf = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return parentOf === parent && command.includes(file) && (await isRunning(pid)) ? [pid] : []
    }),
  )
  return found.flat()
}

it('runs call control and media in processes of their own, which work while the API hangs, restart after a kill and end with the launcher', async () => {
  const { data, url, users } = await createProvider()
  const phones = await startDemoSwitch({ port: 0, id: 'sw1' })
  onTestFinished(() => phones.close())
  const metricsPort = await freePort()
  const env = {
    ...productionSettings(url, [phones]),
    METRICS_PORT: String(metricsPort),
    TRUNKLINE_DATA: data,
  }
  const portal = await startPortal(data, { env })
  const launcher = portal.child.pid ?? 0
  const control = async () => (await childrenOf(launcher, 'main/callcontrol.ts'))[0] ?? 0
  const media = async () => (await childrenOf(launcher, 'main/media.ts'))[0] ?? 0
  const fetchMetrics = (path: string) => fetch(`http://127.0.0.1:${metricsPort}${path}`)
  const isReady = async () => (await fetchMetrics('/ready')).status === 200
  await until(isReady)
  expect(await (await fetchMetrics('/ready')).json()).toMatchObject({
    ready: true,
    database: true,
    catalogue: true,
    switches: true,
    callcontrol: true,
    media: true,
  })
  const metrics = await (await fetchMetrics('/metrics')).text()
  for (const name of ['http_requests_total', 'switches{state="ready"}'])
    expect(metrics).toContain(`trunkline_${name}`)

  let callCount = 0
  const call = async () => {
    const user = users[callCount++ % users.length] ?? ''
    const since = Date.now()
    const carriers = [{ code: 200, afterMs: 0 }]
    let placedAt = 0
    await until(() => {
      const isAllowed = ({ decision, decidedAt }: ReturnType<typeof phones.live>[number]) =>
        decision === 'allowed' && (decidedAt ?? 0) >= since
      if (phones.live().some(isAllowed)) return true
      // A busy machine refuses a call whose decision takes too long.
      if (Date.now() - placedAt > 5_000) {
        placedAt = Date.now()
        phones.place({ user, to: '+442079460123', carriers, talkMs: 60_000, hangsUp: 'caller' })
      }
      return false
    })
  }
  await call()

  // SIGSTOP simulates an API that hangs.
  process.kill(launcher, 'SIGSTOP')
  try {
    for (let calls = 0; calls < 5; calls++) await call()
  } finally {
    process.kill(launcher, 'SIGCONT')
  }

  for (const part of [control, media]) {
    const killed = await part()
    expect(killed).toBeGreaterThan(0)
    process.kill(killed, 'SIGKILL')
    await until(async () => ![0, killed].includes(await part()))
    await until(isReady)
  }
  await call()

  const last = await control()
  const lastMedia = await media()
  portal.child.kill('SIGTERM')
  expect(await portal.ended).toBe(0)
  expect(await isRunning(last)).toBe(false)
  expect(await isRunning(lastMedia)).toBe(false)

  const second = await startPortal(data, { env })
  const orphan = (await childrenOf(second.child.pid ?? 0, 'main/callcontrol.ts'))[0] ?? 0
  expect(orphan).toBeGreaterThan(0)
  second.child.kill('SIGKILL')
  await second.ended
  await until(async () => !(await isRunning(orphan)))
}, 300_000)
