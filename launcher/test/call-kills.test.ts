import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDemoSwitch } from '@trunkline/sandbox/switch/start'
import { it, onTestFinished } from 'vitest'
import { freePort } from './portal-process.ts'
import {
  createProvider,
  expectMatchingRecords,
  isTakingCalls,
  keepCalling,
  keepRunning,
  liveRows,
  productionSettings,
  randomFrom,
  until,
} from './provider.ts'

/** Minimum number of live calls at each kill. More are placed, because calls end all the time. */
const LIVE_CALLS = 500
const MAX_PLACED_CALLS = 600
const KILLS = 8
const KILL_PHASE_MS = 20_000

const SEED = Number(process.env.CALL_KILLS_SEED ?? Date.now() % 1_000_000)

it(`loses no call, no second and no cent when API, call control and database are killed repeatedly (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const { data, url, db, users } = await createProvider()
  const phones = await startDemoSwitch({ port: 0, id: 'sw1' })
  onTestFinished(() => phones.close())
  const env = { ...productionSettings(url, [phones]), PORT: String(await freePort()) }
  const processes = {
    control: keepRunning('callcontrol', env),
    api: keepRunning('api', env),
    database: { kill: () => killDatabase(join(data, 'database')) },
  }
  await until(() => phones.connected())
  const traffic = keepCalling(phones, users, random, { upTo: MAX_PLACED_CALLS })
  await until(() => phones.live().length >= LIVE_CALLS)

  const targets = ['control', 'api', 'database'] as const
  const deadline = Date.now() + KILL_PHASE_MS
  let killedAt = 0
  // Each target at least once, then as often as time allows: recovery takes longer on a busy machine.
  for (let kill = 0; kill < KILLS && (kill < targets.length || Date.now() < deadline); kill++) {
    await until(() => phones.live().length >= LIVE_CALLS && isTakingCalls(phones, killedAt))
    await pause(random(1_500))
    killedAt = Date.now()
    const target = targets[kill < targets.length ? kill : random(targets.length)] as (typeof targets)[number]
    console.log(`kill -9 of ${target} with ${phones.live().length} live calls`)
    await processes[target].kill()
  }

  await pause(2_000)
  traffic.stop()
  await until(() => phones.live().length === 0)
  await until(() => phones.connections() === 1 && phones.kept().length === 0)
  // Calls that were admitted but not yet announced to the switch when it was killed are released after a timeout.
  await until(async () => (await liveRows(db)) === 0)
  await expectMatchingRecords(db, [phones], users, url)
})

/** Its supervisor restarts it. Call control allows calls from memory meanwhile, so the last kill may still be in repair. */
async function killDatabase(folder: string): Promise<void> {
  await until(async () => {
    const text = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
    return kill(Number(text.split('\n')[0]))
  })
}

/** Returns false if there is no such process. */
function kill(pid: number): boolean {
  try {
    return pid > 1 && process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
