import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Complaint } from './complaint.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser for the tests: the one named, the one installed, or Debian's, fetched where apt may be used. */
export async function ensureChromium(): Promise<string> {
  const find = () => [process.env.TRUNKLINE_CHROMIUM, ...PLACES].find((place) => place && existsSync(place))
  const found = find() ?? (installChromium() && find())
  if (!found)
    throw new Complaint(
      'The browser tests need Chromium: run "apt-get install chromium" as root, then try again.',
    )
  return found
}

function installChromium(): boolean {
  const isRoot = process.getuid?.() === 0
  const sudo = isRoot ? [] : ['sudo', '-n']
  const apt = (...args: string[]) => {
    const [program = '', ...rest] = [...sudo, 'apt-get', '-q', ...args]
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    return spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: environment }).status === 0
  }
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return false
  process.stderr.write('Installing Chromium for the browser tests ...\n')
  return apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')
}
