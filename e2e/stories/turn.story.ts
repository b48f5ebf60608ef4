import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nextPorts } from '../../launcher/test/ports.ts'
import { withMicrophone } from '../support/browser.ts'
import { signIn } from '../support/calls.ts'
import { test as base, dial, expect, hearsCaller, keepConnections, packetsOf } from '../support/phone.ts'
import { openPublicNetwork } from '../support/public-network.ts'
import { openTcpOnlyNetwork, type TcpOnlyNetwork } from '../support/tcp-only-network.ts'

const SECRET = 'a secret of the stories'
const HOST = '127.0.0.1'

type Turn = { port: number; tlsPort: number }
type Fixtures = { turn: Turn; outside: TcpOnlyNetwork; portalSettings: Record<string, string> }

/** With a real coturn that accepts TCP and TLS, and a browser in a network namespace that no UDP packet leaves. */
const test = base.extend<object, Fixtures>({
  turn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'turn-'))
      const port = nextPorts(2)
      const tlsPort = port + 1
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
      execFileSync(
        'openssl',
        [
          ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
          ...['-keyout', key, '-out', certificate],
        ],
        { stdio: 'ignore' },
      )
      const child = spawn('turnserver', [
        ...['-n', '--no-udp', '--no-dtls', '--no-cli', '--log-file=stdout', '--realm=stories'],
        ...[`--listening-ip=${HOST}`, `--relay-ip=${HOST}`, '--allow-loopback-peers'],
        ...[`--listening-port=${port}`, `--tls-listening-port=${tlsPort}`],
        ...[`--pkey=${key}`, `--cert=${certificate}`],
        ...['--use-auth-secret', `--static-auth-secret=${SECRET}`, `--userdb=${join(folder, 'turn.sqlite')}`],
      ])
      child.stdout.resume()
      child.stderr.resume()
      await expect.poll(() => isOpen(port), { message: 'the port of coturn' }).toBe(true)
      await expect.poll(() => isOpen(tlsPort), { message: 'the TLS port of coturn' }).toBe(true)
      await use({ port, tlsPort })
      child.kill()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  outside: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const network = await openTcpOnlyNetwork()
      await use(network)
      await network.close()
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ outside }, use) => {
      const executablePath = await outside.wrap(withMicrophone.executablePath ?? '')
      // The certificate of coturn is self-signed.
      await use({
        ...withMicrophone,
        executablePath,
        args: [...(withMicrophone.args ?? []), '--ignore-certificate-errors'],
      })
    },
    { scope: 'worker' },
  ],
})

const testOver = (transport: 'tcp' | 'tls') =>
  test.extend<object, Fixtures>({
    portalSettings: [
      async ({ turn }, use) => {
        const url = transport === 'tls' ? `turns:${HOST}:${turn.tlsPort}` : `turn:${HOST}:${turn.port}`
        await use({ TURN_URLS: `${url}?transport=tcp`, TURN_SECRET: SECRET })
      },
      { scope: 'worker' },
    ],
  })

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    setTimeout(() => socket.destroy(), 100)
  })

for (const transport of ['tcp', 'tls'] as const)
  testOver(transport)(
    `a browser in a network without UDP calls and answers through TURN over ${transport.toUpperCase()}`,
    async ({ page, portal, caller, request, outside, turn }) => {
      await outside.forward(Number(new URL(portal.url).port))
      await outside.forward(transport === 'tls' ? turn.tlsPort : turn.port)
      const network = await openPublicNetwork(request, portal, caller)
      await keepConnections(page)
      await signIn(page, caller)
      await page.getByRole('link', { name: 'Support' }).first().click()
      const button = page.getByRole('banner').getByRole('button', { name: 'Phone: Receives calls' })
      await expect(button).toBeVisible()
      const call = await network.dial()
      await page
        .getByRole('region', { name: 'Incoming call' })
        .getByRole('button', { name: 'Answer' })
        .click()
      expect((await call.ended).status).toBe(200)
      await hearsCaller(page, call.speech)
      await expect.poll(() => call.speech.heard()).toBeGreaterThan(30)
      // The pair is checked again and again. During a check it has not succeeded.
      const path = () =>
        page.evaluate(`(async () => {
          const reports = await window.callConnections.at(-1).getStats()
          const all = [...reports.values()]
          const pair = all.find(({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded')
          const { candidateType, relayProtocol } = reports.get(pair?.localCandidateId) ?? {}
          return candidateType + ' ' + relayProtocol
        })()`)
      await expect.poll(path).toBe(`relay ${transport}`)
      await call.hangUp()
      const phone = page.getByRole('region', { name: 'Phone' })
      await phone.getByRole('button', { name: 'Done' }).click()

      await dial(phone, '+442079460958')
      await expect(phone).toContainText('In a call')
      await expect.poll(async () => (await packetsOf(page)).received).toBeGreaterThan(30)
      await phone.getByRole('button', { name: 'Hang up' }).click()
      network.close()
    },
  )
