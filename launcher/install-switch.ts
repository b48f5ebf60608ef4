import { installPackages, packagesOf, SWITCH } from './debian.ts'
import { placeOf } from './programs.ts'
import { UserError } from './user-error.ts'

/** Whether `./trunkline start` can run a real switch here. */
export const isSwitchInstalled = (): boolean =>
  ['kamailio', 'rtpengine', 'setpriv'].every((name) => placeOf(name) !== null)

/** `./trunkline install-switch`: Kamailio and rtpengine from Debian, installed but not started. */
export async function installSwitch(args: string[] = []): Promise<void> {
  installPackages(packagesOf(args.includes('--for-tests') ? [...SWITCH, 'sipp'] : SWITCH))
  if (!isSwitchInstalled()) throw new UserError('The packages are installed, and the switch is not there.')
  process.stderr.write('Installed. ./trunkline start runs them from now on, in its own data folder.\n')
}
