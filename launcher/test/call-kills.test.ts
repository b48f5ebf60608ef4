import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDemoSwitch } from '@trunkline/sandbox/switch/start'
import { it, onTestFinished } from 'vitest'
import { freePort } from './portal-process.ts'
import {
  createProvider,
  expectTruth,
  isTakingCalls,
  keepCalling,
  keepRunning,
  liveRows,
  productionSettings,
  randomFrom,
  until,
} from './provider.ts'

/** At least so many live at every kill; some more are placed, for others end all the time. */
const LIVE_CALLS = 500
const PLACED_UP_TO = 600
const KILLS = 8
const KILLING_MS = 20_000

const SEED = Number(process.env.CALL_KILLS_SEED ?? Date.now() % 1_000_000)

it(`loses no call, no second and no cent when everything is killed again and again (seed ${SEED})`, async () => {
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
  const traffic = keepCalling(phones, users, random, { upTo: PLACED_UP_TO })
  await until(() => phones.live().length >= LIVE_CALLS)

  const targets = ['control', 'api', 'database'] as const
  const enoughAt = Date.now() + KILLING_MS
  let killedAt = 0
  // Each once at least, then as often as the time allows: a busy machine takes longer to come back.
  for (let kill = 0; kill < KILLS && (kill < targets.length || Date.now() < enoughAt); kill++) {
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
  // What was admitted in the very moment of a kill and never told to the switch is given up after a while.
  await until(async () => (await liveRows(db)) === 0)
  await expectTruth(db, [phones], users, url)
})

/** Its own keeper brings it back. */
async function killDatabase(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (pid > 1) process.kill(pid, 'SIGKILL')
}
