import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, TestRunner } from 'vitest'
import { type RunningSwitch, type SwitchOptions, startSwitch } from '../../launcher/switch.ts'
import { nextPorts } from '../../launcher/test/ports.ts'
import type { Behavior } from '../../sandbox/carriers/behavior.ts'
import { type Carrier, startCarrier } from '../../sandbox/carriers/carrier.ts'
import { hash } from './digest.ts'
import { eventually } from './eventually.ts'
import { type Answer, connectPeer, type Peer, type PeerOptions } from './peer.ts'
import { type Account, createPhone, type Phone } from './phone.ts'

export const REALM = 'trunkline'
export const CALLER_ID = '12025550123'
export const alice: Account = { user: 'alice', password: 'wonder land' }

/** For tests that wait for a timeout of a carrier. */
export const SHORT_TIMEOUTS = { trunkAnswersWithinMs: 2_500, ringWithinMs: 4_000, ringsForMs: 1_500 }

/** A switch and everything that a test starts with it; `close` ends all in reverse order. */
export type Harness = {
  sipPort: number
  running: RunningSwitch
  runFolder: string
  peer(options?: PeerOptions): Promise<Peer>
  carrier(behavior: Behavior, options?: { host?: string }): Promise<Carrier>
  phone(options?: Partial<Parameters<typeof createPhone>[0]>): Promise<Phone>
  /** Closes the given part with the harness or at the next `reset`. */
  keep<Thing extends { close(): unknown }>(thing: Thing): Thing
  /** Ends what one test has started, except the switch. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The first of four ports reserved for the caller. */
export const nextPort = (): number => nextPorts(4)

export async function startHarness(options: Partial<SwitchOptions> = {}): Promise<Harness> {
  const runFolder = options.runFolder ?? (await mkdtemp(join(tmpdir(), 'switch-')))
  const sipPort = nextPort()
  const ends: (() => unknown)[] = [() => rm(runFolder, { recursive: true, force: true })]
  const running = await startSwitch({
    runFolder,
    id: 'test-switch',
    realm: REALM,
    secret: 'a secret of the tests',
    host: '127.0.0.1',
    sipPort,
    tlsPort: null,
    controlPort: sipPort + 2,
    logLevel: Number(process.env.SWITCH_LOG ?? LOG_NOTICE),
    ...options,
    limits: {
      // A busy machine may stop for seconds, and Kamailio's timers then fire early by the sum of these stops. Tests of timeouts use
      // `SHORT_TIMEOUTS`.
      controlAnswersWithinMs: 12_000,
      mediaAnswersWithinMs: 4_000,
      trunkAnswersWithinMs: 12_000,
      overloadMs: 60_000,
      pingSeconds: 1,
      releaseSeconds: 20,
      ...options.limits,
    },
  })
  ends.push(() => running.close())
  const endAfter = async (count: number) => {
    for (const end of ends.splice(count).reverse()) await Promise.resolve(end()).catch(() => {})
  }
  const keep = <Thing extends { close(): unknown }>(thing: Thing): Thing => {
    ends.push(() => thing.close())
    return thing
  }
  return {
    sipPort,
    running,
    runFolder,
    peer: async (given) => {
      const peer = await connectPeer(running.controlPort, given)
      ends.push(async () => {
        // Wait until its last acknowledgment is processed, or the next test would get the event again.
        await peer.processed(10_000).catch(() => {})
        await peer.close()
      })
      return peer
    },
    carrier: async (behavior, given) => {
      const carrier = await startCarrier({ ...given, behaviorOf: () => behavior })
      ends.push(async () => {
        // Wait for its calls to end, so that they do not affect the next test.
        await eventually(() => carrier.live() === 0, 'the end of its calls', 500).catch(() => {})
        await carrier.close()
      })
      return carrier
    },
    keep,
    phone: async (given) => keep(await createPhone({ switchPort: sipPort, ...given })),
    reset: async () => {
      if (TestRunner.getCurrentTest()?.result?.state === 'fail') await printLogs(runFolder)
      await endAfter(2)
    },
    close: () => endAfter(0),
  }
}

/** One harness for all tests of a file. After each test it ends what the test has started. */
export async function harnessForFile(options: Partial<SwitchOptions> = {}): Promise<Harness> {
  const harness = await startHarness(options)
  afterEach(() => harness.reset())
  afterAll(() => harness.close())
  return harness
}

/** Kamailio's level of the notices about each call. */
const LOG_NOTICE = 1
const LOG_LINES = 30

/** The end of the switch's logs tells why a call of a failed test was refused. */
async function printLogs(runFolder: string): Promise<void> {
  for (const program of ['kamailio', 'rtpengine']) {
    const log = await readFile(join(runFolder, `${program}.log`), 'utf8').catch(() => '')
    process.stderr.write(`${program}: ${log.trimEnd().split('\n').slice(-LOG_LINES).join('\n')}\n`)
  }
}

type Allow = Omit<Extract<Answer, { type: 'allow' }>, 'call'>
type Given = Omit<Extract<Answer, { type: 'refuse' }>, 'call'>

/** Allows a call over these carriers in order; the trunk IDs are 1, 2, ... */
export const allow = (
  carriers: readonly { host: string; port: number }[],
  given: Partial<Allow> = {},
): Allow => ({
  type: 'allow',
  callerId: CALLER_ID,
  coveredSeconds: 60,
  trunks: carriers.map(({ host, port }, index) => ({
    id: index + 1,
    host,
    port,
    transport: 'udp',
    number: '442071234567',
  })),
  ...given,
})

export const refuse = (code: number, reason: string): Given => ({
  type: 'refuse',
  code,
  reason,
})

/** Answers of call control to credential requests for these accounts. */
export const credentialsOf =
  (...accounts: Account[]) =>
  (user: string) => {
    const found = accounts.find((account) => account.user === user)
    if (!found) return null
    const secret = `${found.user}:${REALM}:${found.password}`
    return { md5: hash('MD5', secret), sha256: hash('SHA-256', `sha256~${secret}`) }
  }
