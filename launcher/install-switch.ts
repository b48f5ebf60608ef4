import { installPackages, packagesOf, SWITCH, VOICES } from './debian.ts'
import { pathOf } from './programs.ts'
import { UserError } from './user-error.ts'

export const isSwitchInstalled = (): boolean =>
  ['kamailio', 'rtpengine', 'setpriv'].every((name) => pathOf(name) !== null)

/** `install-switch` installs Kamailio, rtpengine and the voices from Debian without starting them. */
export async function installSwitch(args: string[] = []): Promise<void> {
  const programs = [...SWITCH, ...VOICES]
  await installPackages(packagesOf(args.includes('--for-tests') ? [...programs, 'sipp'] : programs))
  if (!isSwitchInstalled())
    throw new UserError(
      'The packages are installed, but kamailio, rtpengine or setpriv is not on the PATH. Check the installation.',
    )
  process.stderr.write('Kamailio and rtpengine are installed. Run ./trunkline start to use them.\n')
}
