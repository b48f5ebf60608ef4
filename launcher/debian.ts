import { spawnSync } from 'node:child_process'
import { placeOf } from './programs.ts'
import { UserError } from './user-error.ts'

/**
 * The programs that come from Debian's packages, and which. A test that needs one more names it here and, in test.ts, in the list of
 * its part; `./trunkline test` then installs it where it is missing.
 */
const PACKAGES = {
  kamailio: [
    ...['kamailio', 'kamailio-extra-modules', 'kamailio-sqlite-modules', 'kamailio-tls-modules'],
    'kamailio-websocket-modules',
  ],
  rtpengine: ['rtpengine-daemon'],
  openssl: ['openssl'],
  sipp: ['sip-tester'],
  baresip: ['baresip-core'],
  linphonec: ['linphone-cli'],
  'twinkle-console': ['twinkle-console'],
  ip: ['iproute2'],
  pgrep: ['procps'],
  nginx: ['nginx'],
  caddy: ['caddy'],
  pgbouncer: ['pgbouncer'],
  promtool: ['prometheus'],
  'chromium-headless-shell': ['chromium-headless-shell'],
  chromium: ['chromium'],
} satisfies Record<string, string[]>

export type Program = keyof typeof PACKAGES

/** Kamailio, rtpengine and what makes their certificates. */
export const SWITCH: Program[] = ['kamailio', 'rtpengine', 'openssl']

/** Installs what is missing of these programs; what is there already is left alone. */
export function ensurePrograms(programs: Program[]): void {
  const missing = programs.flatMap(missingPackages)
  if (missing.length > 0) installPackages(missing)
}

export const packagesOf = (programs: Program[]): string[] => programs.flatMap((name) => PACKAGES[name])

/** Of a program that Debian installed all packages have to be there; one from elsewhere brings its own parts along. */
function missingPackages(program: Program): string[] {
  const packages = PACKAGES[program]
  if (placeOf(program) === null) return packages
  const installed = installedAmong(packages)
  return installed.length === 0 ? [] : packages.filter((name) => !installed.includes(name))
}

function installedAmong(packages: string[]): string[] {
  // It prints an error for an unknown package and still answers for the others.
  const { stdout } = spawnSync('dpkg-query', ['-W', `-f=\${Package} \${db:Status-Status}\n`, ...packages], {
    encoding: 'utf8',
  })
  return packages.filter((name) => (stdout ?? '').split('\n').includes(`${name} installed`))
}

/** Where Debian asks whether a package may start its service. */
const START_POLICY = '/usr/sbin/policy-rc.d'

/**
 * Nothing that is installed may start, now or with the machine: a web server or a switch of Debian's would take the ports of ours.
 * 101 means no. One script, so that the policy goes away again also when this is interrupted.
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

/** Installs packages through apt, and starts none of the services they bring. */
export function installPackages(packages: string[], startPolicy = START_POLICY): void {
  const list = packages.join(' ')
  if (placeOf('apt-get') === null)
    throw new UserError(`These come from Debian packages, and there is no apt-get here: ${list}.`)
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0)
    throw new UserError(`Installing packages needs root: run "sudo apt-get install ${list}", then try again.`)
  process.stderr.write(`Installing ${list} ...\n`)
  const [program = '', ...args] = [...(isRoot ? [] : ['sudo', '-n']), 'sh', '-c', SCRIPT, 'sh', startPolicy]
  const { status } = spawnSync(program, [...args, ...packages], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new UserError(`The packages could not be installed: ${list}.`)
}
