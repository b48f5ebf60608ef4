import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nextPorts } from '../../launcher/test/ports.ts'

export type PortalProcess = {
  url: string
  port: number
  /** Control address of the demo switch. */
  switchUrl: string
  /** SIP address, with a real switch only. */
  sipPort: number
  /** The printed link that rings a demo number, with a real switch only. */
  ringUrl: string
  stop(): Promise<void>
  kill(): Promise<void>
}

const launcher = fileURLToPath(new URL('../../trunkline', import.meta.url))

/** Runs `./trunkline start` and resolves when it reports that it is ready. */
export async function startPortalProcess(
  data: string,
  port?: number,
  settings: Record<string, string> = {},
): Promise<PortalProcess> {
  // The next three ports are for the sandbox.
  const chosen = port ?? nextPorts(4)
  // Reserved, because two portals that start at the same moment would both find 5060 free. The next port is for TLS.
  const askedSipPort = settings.TRUNKLINE_SWITCH === '' ? (settings.SIP_PORT ?? String(nextPorts(2))) : ''
  // Stories register many users from one address and place their own calls.
  const env = {
    ...process.env,
    REGISTRATIONS_PER_HOUR: '10000',
    PROMO_REDEMPTIONS_PER_ADDRESS: '10000',
    SANDBOX_TRAFFIC: 'off',
    TRUNKLINE_SWITCH: 'off',
    ...settings,
    SIP_PORT: askedSipPort,
  }
  const child = spawn(launcher, ['start', '--port', String(chosen), '--data', data], { env })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const announced = await new Promise<string>((resolve, reject) => {
    let output = ''
    const listen = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Stop with Ctrl-C.')) resolve(output)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('close', () => reject(new Error(`The portal did not start:\n${output}`)))
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  const sipPort = Number(/port (\d+) \(UDP, TCP\)/.exec(announced)?.[1])
  if (askedSipPort !== '' && Number.isNaN(sipPort)) {
    await end('SIGTERM')
    throw new Error(`The portal has no switch:\n${announced}`)
  }
  return {
    url: `http://localhost:${chosen}`,
    port: chosen,
    switchUrl: /Demo switch +(\S+)/.exec(announced)?.[1] ?? '',
    sipPort,
    ringUrl: /Ring alice’s browser +(\S+)/.exec(announced)?.[1] ?? '',
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
