import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { nextPorts } from '../../launcher/test/ports.ts'
import { signIn } from '../support/calls.ts'
import { test as base, dial, expect, hearsCaller, keepConnections, packetsOf } from '../support/phone.ts'
import { openPublicNetwork } from '../support/public-network.ts'

const SECRET = 'a secret of the stories'
const HOST = '127.0.0.1'

/** With a real coturn that browsers reach over TCP only. */
const test = base.extend<object, { portalSettings: Record<string, string> }>({
  portalSettings: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const port = nextPorts(1)
      const child = spawn('turnserver', [
        ...['-n', '--no-udp', '--no-tls', '--no-dtls', '--no-cli', '--log-file=stdout', '--realm=stories'],
        ...[
          `--listening-ip=${HOST}`,
          `--relay-ip=${HOST}`,
          `--listening-port=${port}`,
          '--allow-loopback-peers',
        ],
        ...['--use-auth-secret', `--static-auth-secret=${SECRET}`, `--userdb=/tmp/turn-${port}.sqlite`],
      ])
      child.stdout.resume()
      child.stderr.resume()
      await expect.poll(() => isOpen(port), { message: 'the port of coturn' }).toBe(true)
      await use({ TURN_URLS: `turn:${HOST}:${port}?transport=tcp`, TURN_SECRET: SECRET, TURN_ONLY: 'yes' })
      child.kill()
    },
    { scope: 'worker' },
  ],
})

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    setTimeout(() => socket.destroy(), 100)
  })

test('a browser without UDP calls and answers through the TURN server', async ({
  page,
  portal,
  caller,
  request,
}) => {
  const network = await openPublicNetwork(request, portal, caller)
  await keepConnections(page)
  await signIn(page, caller)
  await page.getByRole('link', { name: 'Support' }).first().click()
  const button = page.getByRole('banner').getByRole('button', { name: 'Phone: Receives calls' })
  await expect(button).toBeVisible()
  const call = await network.dial()
  await page.getByRole('region', { name: 'Incoming call' }).getByRole('button', { name: 'Answer' }).click()
  expect((await call.ended).status).toBe(200)
  await hearsCaller(page, call.speech)
  await expect.poll(() => call.speech.heard()).toBeGreaterThan(30)
  const paths: string[] = await page.evaluate(`(async () => {
    const reports = [...(await window.callConnections.at(-1).getStats()).values()]
    return reports.filter(({ type }) => type === 'local-candidate')
      .map(({ candidateType, relayProtocol }) => candidateType + ' ' + relayProtocol)
  })()`)
  expect([...new Set(paths)]).toEqual(['relay tcp'])
  await call.hangUp()
  const phone = page.getByRole('region', { name: 'Phone' })
  await phone.getByRole('button', { name: 'Done' }).click()

  await dial(phone, '+442079460958')
  await expect(phone).toContainText('In a call')
  await expect.poll(async () => (await packetsOf(page)).received).toBeGreaterThan(30)
  await phone.getByRole('button', { name: 'Hang up' }).click()
  network.close()
})
