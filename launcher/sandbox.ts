import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OfferedNumber } from '@trunkline/sandbox/public-network/page'
import { root } from './paths.ts'
import { portOrAny } from './ports.ts'
import { UserError } from './user-error.ts'

export type Sandbox = {
  settings: Record<string, string>
  /** Address of the test carrier that answers calls of a real switch. */
  carrier: string
  /** Source address of calls from the public network of the sandbox. */
  network: string
  /** Tells the public network where the switch listens, and which numbers its page offers. */
  setSwitch(sipAddress: string, numbers: readonly OfferedNumber[]): Promise<void>
  /** Starts the generated calls of the demo switch. */
  startTraffic(): Promise<void>
  close(): Promise<void>
}

/** The ports that sandbox/main.ts reports once it is up. */
type Ready = {
  mailboxSmtpPort: number
  mailboxHttpPort: number
  paymentPort: number
  switchPort: number
  switchControlPort: number
  carrierPort: number
  networkPort: number
}

const LOOPBACK = '127.0.0.1'

/**
 * Starts the sandbox in its own process and returns the settings that point the server at it. Its ports follow the
 * portal's, so that bookmarks and open payment pages still work after a restart.
 */
export async function startSandbox(
  folder: string,
  portalPort: number,
  reserved: readonly number[] = [],
): Promise<Sandbox> {
  await mkdir(folder, { recursive: true })
  const portFor = async (service: string, port: number): Promise<string> => {
    const chosen = reserved.includes(port) ? 0 : await portOrAny(port, LOOPBACK)
    if (chosen === 0)
      process.stderr.write(`Port ${port} is in use. ${service} uses another port, shown below.\n`)
    return String(chosen)
  }
  const paymentKey = await merchantKey(folder)
  const child = fork(join(root, 'sandbox/main.ts'), [], {
    detached: true, // Ctrl-C reaches only the launcher, which stops its children in order
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...process.env,
      SANDBOX_FOLDER: folder,
      SANDBOX_MAILBOX_SMTP_PORT: '0',
      SANDBOX_MAILBOX_HTTP_PORT: await portFor('The demo mailbox', portalPort + 1),
      SANDBOX_PAYMENT_PORT: await portFor('The demo payment page', portalPort + 2),
      SANDBOX_MERCHANT_KEY: paymentKey,
      SANDBOX_SWITCH_PORT: '0',
      SANDBOX_SWITCH_CONTROL_PORT: await portFor('The demo switch', portalPort + 3),
      SANDBOX_TRAFFIC: 'off',
    },
  })
  let isReady = false
  let output = ''
  child.stderr?.on('data', (chunk) => {
    if (isReady) process.stderr.write(chunk)
    else output = `${output}${chunk}`.slice(-1_000)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message: { ready: Ready }) => resolve(message.ready))
    child.once('error', reject)
    // 'close' comes after 'exit', when all of stderr has been read.
    child.once('close', () =>
      reject(new UserError(`Could not start the demo sandbox: ${startError(output)}`)),
    )
  })
  isReady = true
  const control = async (path: string, body: object): Promise<void> => {
    await fetch(`http://${LOOPBACK}:${ready.switchControlPort}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }
  return {
    settings: {
      SMTP_URL: `smtp://${LOOPBACK}:${ready.mailboxSmtpPort}`,
      SANDBOX_MAILBOX_URL: `http://localhost:${ready.mailboxHttpPort}`,
      OXAPAY_BASE_URL: `http://${LOOPBACK}:${ready.paymentPort}`,
      OXAPAY_MERCHANT_KEY: paymentKey,
      SWITCHES: `${LOOPBACK}:${ready.switchPort}`,
      SANDBOX_SWITCH_URL: `http://localhost:${ready.switchControlPort}`,
    },
    carrier: `${LOOPBACK}:${ready.carrierPort}`,
    network: `${LOOPBACK}:${ready.networkPort}`,
    setSwitch: (address, numbers) => control('/public-network/switch', { address, numbers }),
    startTraffic: () => control('/sandbox/traffic', { running: true }),
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Names the port that is in use, or returns the last line of the output. */
function startError(output: string): string {
  const taken = /EADDRINUSE\b.*:(\d+)/.exec(output)?.[1]
  if (taken)
    return `port ${taken} is in use. Stop the program that uses it, or choose other ports with --port.`
  return output.trim().split('\n').at(-1) || 'it exited without an error message.'
}

/** Shared by the portal and the sandbox; kept in a file, so that a restart does not change it. */
async function merchantKey(folder: string): Promise<string> {
  const file = join(folder, 'merchant.key')
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return (await readFile(file, 'utf8')).trim()
}
