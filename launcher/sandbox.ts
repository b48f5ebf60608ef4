import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './paths.ts'
import { portOrAny } from './ports.ts'
import { UserError } from './user-error.ts'

export type Sandbox = {
  settings: Record<string, string>
  /** Where calls of a real switch are answered. */
  carrier: string
  /** Lets the demo switch make up calls, which it does not do by itself. */
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
}

const LOOPBACK = '127.0.0.1'

/**
 * Starts the stand-ins for the outside world as a process of their own and answers the settings that point the
 * server at them. Ports follow the portal's own, so that bookmarks and open payments outlive a restart.
 */
export async function startSandbox(
  folder: string,
  portalPort: number,
  keptFree: readonly number[] = [],
): Promise<Sandbox> {
  await mkdir(folder, { recursive: true })
  const near = async (what: string, port: number): Promise<string> => {
    const chosen = keptFree.includes(port) ? 0 : await portOrAny(port, LOOPBACK)
    if (chosen === 0)
      process.stderr.write(`Port ${port} is in use: ${what} takes another one, shown below.\n`)
    return String(chosen)
  }
  const paymentKey = await merchantKey(folder)
  const child = fork(join(root, 'sandbox/main.ts'), [], {
    detached: true, // Ctrl-C reaches the launcher alone; the sandbox ends when the launcher lets go of it
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...process.env,
      SANDBOX_FOLDER: folder,
      SANDBOX_MAILBOX_SMTP_PORT: '0',
      SANDBOX_MAILBOX_HTTP_PORT: await near('the mailbox of the demo', portalPort + 1),
      SANDBOX_PAYMENT_PORT: await near('the payment page of the demo', portalPort + 2),
      SANDBOX_MERCHANT_KEY: paymentKey,
      SANDBOX_SWITCH_PORT: '0',
      SANDBOX_SWITCH_CONTROL_PORT: await near('the demo switch', portalPort + 3),
      SANDBOX_TRAFFIC: 'off',
    },
  })
  let isReady = false
  let words = ''
  child.stderr?.on('data', (chunk) => {
    if (isReady) process.stderr.write(chunk)
    else words = `${words}${chunk}`.slice(-1_000)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message: { ready: Ready }) => resolve(message.ready))
    child.once('error', reject)
    // Its words are all there by then.
    child.once('close', () =>
      reject(new UserError(`The sandbox of the demo could not start: ${faultOf(words)}`)),
    )
  })
  isReady = true
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
    async startTraffic() {
      await fetch(`http://${LOOPBACK}:${ready.switchControlPort}/sandbox/traffic`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"running":true}',
      })
    },
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The port that somebody else has, or whatever it said last. */
function faultOf(words: string): string {
  const taken = /EADDRINUSE\b.*:(\d+)/.exec(words)?.[1]
  if (taken) return `port ${taken} is in use. End the program that has it, or choose other ports with --port.`
  return words.trim().split('\n').at(-1) || 'it ended without a word.'
}

/** Known to the portal and its stand-in alone, and the same after a restart. */
async function merchantKey(folder: string): Promise<string> {
  const file = join(folder, 'merchant.key')
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return (await readFile(file, 'utf8')).trim()
}
