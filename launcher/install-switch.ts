import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Complaint } from './complaint.ts'
import { placeOf } from './programs.ts'

/** Debian's names. The last one makes calls in the tests. */
const PACKAGES = [
  ...['kamailio', 'kamailio-extra-modules', 'kamailio-sqlite-modules', 'kamailio-tls-modules'],
  ...['kamailio-websocket-modules', 'rtpengine-daemon', 'openssl'],
]
const TEST_PACKAGES = ['sip-tester']
/** What the packages would start by themselves, on the very ports that are ours. */
const SERVICES = ['kamailio', 'rtpengine-daemon', 'rtpengine']
const START_POLICY = '/usr/sbin/policy-rc.d'

/** Whether `./trunkline start` can run a real switch here. */
export const isSwitchInstalled = (): boolean => ['kamailio', 'rtpengine', 'setpriv'].every(isProgram)

export const isSippInstalled = (): boolean => isProgram('sipp')

const isProgram = (name: string): boolean => placeOf(name) !== null

/** `./trunkline install-switch`: Kamailio and rtpengine from Debian, installed but not started. */
export async function installSwitch(args: string[] = []): Promise<void> {
  const packages = args.includes('--for-tests') ? [...PACKAGES, ...TEST_PACKAGES] : PACKAGES
  if (!isProgram('apt-get'))
    throw new Complaint('The switch comes from Debian packages, and there is no apt-get here.')
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0)
    throw new Complaint(
      `Installing packages needs root: run "sudo ./trunkline ${['install-switch', ...args].join(' ')}" or "apt-get install ${packages.join(' ')}".`,
    )
  const run = (program: string, ...rest: string[]): boolean => {
    const command = isRoot
      ? [program, ...rest]
      : ['sudo', '-n', `DEBIAN_FRONTEND=noninteractive`, program, ...rest]
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const [first = '', ...others] = command
    return spawnSync(first, others, { stdio: ['ignore', 'ignore', 'inherit'], env: environment }).status === 0
  }

  process.stderr.write('Installing Kamailio and rtpengine ...\n')
  // Debian asks this file whether a package may start its service; 101 means no.
  const isPolicyOurs = !existsSync(START_POLICY)
  if (isPolicyOurs)
    run('sh', '-c', `printf '#!/bin/sh\\nexit 101\\n' > ${START_POLICY} && chmod 755 ${START_POLICY}`)
  try {
    const isDone =
      run('apt-get', '-q', 'update') &&
      run('apt-get', '-q', 'install', '-y', '--no-install-recommends', ...packages)
    if (!isDone || !isSwitchInstalled())
      throw new Complaint(`The packages could not be installed: ${packages.join(' ')}.`)
  } finally {
    if (isPolicyOurs) run('rm', '-f', START_POLICY)
  }
  if (existsSync('/run/systemd/system'))
    for (const service of SERVICES)
      spawnSync(
        isRoot ? 'systemctl' : 'sudo',
        [...(isRoot ? [] : ['-n', 'systemctl']), 'disable', '--now', service],
        {
          stdio: 'ignore',
        },
      )
  process.stderr.write('Installed. ./trunkline start runs them from now on, in its own data folder.\n')
}
