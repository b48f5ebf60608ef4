import { randomUUID } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { afterEach, expect, it } from 'vitest'
import { answersOptions } from '../../../launcher/switch-probe.ts'
import { freePort, post, preparedFolder, signIn, startPortal } from '../../../launcher/test/portal-process.ts'
import { nextPort } from '../harness.ts'
import { createPhone, type Phone } from '../phone.ts'
import { until } from './provider.ts'

const phones: Phone[] = []
afterEach(() => {
  for (const phone of phones.splice(0)) phone.close()
})

const withSwitch = { env: { TRUNKLINE_SWITCH: '' } }

/** Starts a demo with a switch and reads the SIP port from its output. */
async function startDemo(sipPort?: number) {
  const env = { ...withSwitch.env, ...(sipPort && { SIP_PORT: String(sipPort) }) }
  const portal = await startPortal(await preparedFolder(), { env }, await freePort())
  await until(async () => portal.output().includes('Stop with Ctrl-C.'), 'announcement')
  return { portal, port: Number(/port (\d+) \(UDP, TCP\)/.exec(portal.output())?.[1]) }
}

async function tokenOf(url: string, name: string): Promise<string> {
  const { answer } = await signIn(url, name, `trunkline-${name}`)
  return String(answer.token)
}

const read = async (url: string, token: string) =>
  (await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json()) as never

it('a demo with a switch connects calls to its test carrier, and ends all processes when stopped', async () => {
  const { portal, port } = await startDemo(nextPort())
  expect(portal.output()).toContain('A number ending in 86 is busy.')
  const token = await tokenOf(portal.url, 'alice')
  const admin = await tokenOf(portal.url, 'admin')
  const { answer: signedIn } = await signIn(portal.url, 'alice', 'trunkline-alice')
  const given = { user_id: (signedIn.user as { id: number }).id, amount: 5, reason: 'to call with' }
  const adjustment = { ...given, request_key: randomUUID() }
  expect((await post(`${portal.url}/api/admin/balance-adjustments`, adjustment, admin)).status).toBe(200)
  const { answer } = await post(`${portal.url}/api/user/sip/password`, {}, token)
  const phone = await createPhone({
    switchPort: port,
    account: { user: 'alice', password: String(answer.password) },
  })
  phones.push(phone)
  // Call control learns of the new password a moment later.
  await until(async () => (await phone.register()).status === 200, 'registration')
  const call = await phone.call('442079460958')
  expect((await call.ended).status).toBe(200)
  await call.speech.echoes(5)
  await call.hangUp()
  expect((await (await phone.call('442079460986')).ended).status).toBe(486)
  const newest = await until(async () => {
    const { records } = (await read(`${portal.url}/api/cdr`, token)) as { records: { status: string }[] }
    return records.length === 2 && records
  }, 'both records')
  expect(newest.map(({ status }) => status).sort()).toEqual(['busy', 'completed'])
  portal.child.kill('SIGTERM')
  expect(await portal.ended).toBe(0)
  expect(await answersOptions('127.0.0.1', port)).toBe(false)
})

/** Returns false while another process has the port: it may release it before the demos start. */
const takePort5060 = (): Promise<Socket | false> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind(5060, '127.0.0.1', () => resolve(socket))
  })

it('two demos on one machine each have a switch, and announce their SIP port when 5060 is in use', async () => {
  const squatter = await until(takePort5060, 'port 5060')
  try {
    const [one, two] = await Promise.all([startDemo(), startDemo(nextPort())])
    expect(one.portal.output()).toContain(`Port 5060 is in use. SIP uses port ${one.port} instead.`)
    expect(one.port).not.toBe(two.port)
    for (const { port } of [one, two])
      await until(() => answersOptions('127.0.0.1', port), 'answer to OPTIONS')
  } finally {
    squatter.close()
  }
})
