import { startMailbox } from '@trunkline/sandbox/mailbox/start'
import { startDemoSwitch } from '@trunkline/sandbox/switch/start'
import { expect, it, onTestFinished } from 'vitest'
import { freePort, health, post } from './portal-process.ts'
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

const CALLS_PER_SWITCH = 60
const EMAIL = 'caller@portal.example'

it('loses nothing when one API, worker, call control and switch are killed in a scaled-out setup', async () => {
  const { data, url, db, users } = await createProvider()
  await db
    .updateTable('users')
    .set({ email: EMAIL, email_verified_at: new Date() })
    .where('username', '=', users[0] ?? '')
    .execute()
  const mailbox = await startMailbox({ host: '127.0.0.1', smtpPort: 0, httpPort: 0, folder: data })
  onTestFinished(() => mailbox.close())
  const switches = await Promise.all(['sw1', 'sw2'].map((id) => startDemoSwitch({ port: 0, id })))
  onTestFinished(async () => {
    for (const one of switches) await one.close()
  })
  const [staying, dying] = switches as [(typeof switches)[0], (typeof switches)[0]]
  const settings = productionSettings(url, switches)
  const env = { ...settings, SMTP_URL: `smtp://127.0.0.1:${mailbox.smtpPort}` }
  const ports = [await freePort(), await freePort()]
  const apis = ports.map((port, index) => keepRunning(`api-${index + 1}`, { ...env, PORT: String(port) }))
  const worker = keepRunning('worker-1', env)
  const controls = [1, 2].map((number) => keepRunning(`callcontrol-${number}`, env))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  await Promise.all(switches.map((one) => until(() => one.connections() === 2)))
  for (const url of urls) await until(async () => (await health(url)) === true)

  const random = randomFrom(1)
  const traffic = switches.map((one) =>
    keepCalling(one, users, random, { upTo: CALLS_PER_SWITCH, atOnce: 8, longestMs: 6_000 }),
  )
  const registrations = keepRegistering(urls)
  const areBusy = (since: number) => () =>
    registrations.acknowledged.length > 2 && switches.every((one) => isTakingCalls(one, since))
  await until(areBusy(0))

  const killedAt = Date.now()
  await Promise.all([apis[0]?.kill(), worker.kill(), controls[0]?.kill()])
  dying.die(1_000)
  // The remaining API accepts the request, and the restarted worker sends the email.
  await until(async () => (await askForReset(urls[1] ?? '', EMAIL)) === 200)
  await until(areBusy(killedAt + 1_000))
  await until(async () => (await health(urls[0] ?? '')) === true)
  await until(() => switches.every((one) => one.connections() === 2))

  for (const one of traffic) one.stop()
  registrations.stop()
  await until(() => switches.every((one) => one.live().length === 0 && one.kept().length === 0))
  await until(async () => (await liveRows(db)) === 0)
  await expectMatchingRecords(db, [staying, dying], users, url, { [dying.id]: killedAt })
  const known = await db.selectFrom('users').select('username').execute()
  const names = new Set(known.map(({ username }) => username))
  expect(registrations.acknowledged.filter((name) => !names.has(name))).toEqual([])
  await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${mailbox.httpPort}/messages.json`)
    return ((await answer.json()) as { messages: unknown[] }).messages.length > 0
  })
})

/** Registers users at each API in turn, as a load balancer would. */
function keepRegistering(urls: readonly string[]) {
  const acknowledged: string[] = []
  let tries = 0
  const timer = setInterval(async () => {
    const username = `newcomer-${++tries}`
    const body = { username, password: 'long enough' }
    const answer = await post(`${urls[tries % urls.length]}/register`, body).catch(() => null)
    if (answer?.status === 200) acknowledged.push(username)
  }, 250)
  onTestFinished(() => clearInterval(timer))
  return { acknowledged, stop: () => clearInterval(timer) }
}

const askForReset = async (url: string, email: string): Promise<number> =>
  (await post(`${url}/api/auth/forgot-password`, { email })).status
