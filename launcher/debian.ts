import { spawn, spawnSync } from 'node:child_process'
import { pathOf } from './programs.ts'
import { UserError } from './user-error.ts'

/**
 * Debian packages by program. To use a new program in a test, add it here and to its part in test.ts; `./trunkline test` installs it
 * if it is missing.
 */
const PACKAGES = {
  kamailio: [
    ...['kamailio', 'kamailio-extra-modules', 'kamailio-sqlite-modules', 'kamailio-tls-modules'],
    'kamailio-websocket-modules',
  ],
  rtpengine: ['rtpengine-daemon'],
  openssl: ['openssl'],
  flite: ['flite'],
  'espeak-ng': ['espeak-ng'],
  sipp: ['sip-tester'],
  baresip: ['baresip-core'],
  linphonec: ['linphone-cli'],
  'twinkle-console': ['twinkle-console'],
  ip: ['iproute2'],
  pgrep: ['procps'],
  turnserver: ['coturn'],
  nginx: ['nginx'],
  caddy: ['caddy'],
  pgbouncer: ['pgbouncer'],
  promtool: ['prometheus'],
  'chromium-headless-shell': ['chromium-headless-shell'],
  chromium: ['chromium'],
  'firefox-esr': ['firefox-esr'],
} satisfies Record<string, string[]>

export type Program = keyof typeof PACKAGES

export const SWITCH: Program[] = ['kamailio', 'rtpengine', 'openssl']

/** Text to speech. Without them, flows speak no texts. */
export const VOICES: Program[] = ['flite', 'espeak-ng']

/** Installs only the missing programs. */
export async function ensurePrograms(programs: Program[]): Promise<void> {
  const missing = [...new Set(programs.flatMap(missingPackages))]
  if (missing.length > 0) await installPackages(missing)
}

export const packagesOf = (programs: Program[]): string[] => programs.flatMap((name) => PACKAGES[name])

/** Returns missing packages, unless the program was not installed from Debian packages at all. */
function missingPackages(program: Program): string[] {
  const packages = PACKAGES[program]
  if (pathOf(program) === null) return packages
  const installed = installedAmong(packages)
  return installed.length === 0 ? [] : packages.filter((name) => !installed.includes(name))
}

function installedAmong(packages: string[]): string[] {
  // dpkg-query prints an error for an unknown package and still lists the others.
  const { stdout } = spawnSync('dpkg-query', ['-W', `-f=\${Package} \${db:Status-Status}\n`, ...packages], {
    encoding: 'utf8',
  })
  return packages.filter((name) => (stdout ?? '').split('\n').includes(`${name} installed`))
}

/** Debian runs this script to decide whether a package may start its service. */
const START_POLICY = '/usr/sbin/policy-rc.d'

/**
 * Keeps the installed services from starting, now and at boot: nginx or Kamailio would take our ports. Exit code 101 means "do not
 * start". The trap removes the policy even if the installation is interrupted.
 */
const SCRIPT = `
policy=$1; shift
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' HUP INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy" || exit
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q update > /dev/null || exit
apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" > /dev/null || exit
[ ! -d /run/systemd/system ] || dpkg-query -L "$@" | sed -n 's|.*/systemd/system/\\([^/@]*\\.service\\)$|\\1|p' | xargs -r systemctl disable --now > /dev/null 2>&1
exit 0
`

/** Installs packages with apt, without starting their services. */
export async function installPackages(packages: string[], startPolicy = START_POLICY): Promise<void> {
  const list = packages.join(' ')
  if (pathOf('apt-get') === null)
    throw new UserError(`apt-get is not available. Install these packages yourself, then try again: ${list}.`)
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0)
    throw new UserError(`Installing packages needs root. Run "sudo apt-get install ${list}", then try again.`)
  process.stderr.write(`Installing ${list} ...\n`)
  const [program = '', ...args] = [...(isRoot ? [] : ['sudo', '-n']), 'sh', '-c', SCRIPT, 'sh', startPolicy]
  const child = spawn(program, [...args, ...packages], { stdio: ['ignore', 'inherit', 'inherit'] })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (status !== 0)
    throw new UserError(`Could not install the packages ${list}. Fix the error above and try again.`)
}
