import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolderOf } from './data-folder.ts'
import { readPort } from './ports.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { startTelephony } from './telephony.ts'
import { explain, UserError } from './user-error.ts'

const USAGE = 'Usage: ./trunkline switch --control-port N [--sip-port N] [--data DIR]'

/** `switch` runs Kamailio and rtpengine without the portal, for call control on another machine. */
export async function startSwitchAlone(args: string[]): Promise<void> {
  const { controlPort, sipPort, data } = readOptions(args)
  // Otherwise an unexpected error would end Kamailio and rtpengine, and all calls with them.
  process.on('unhandledRejection', (error) => {
    process.stderr.write(`unhandled rejection: ${error instanceof Error ? error.stack : error}\n`)
  })
  const environment = {
    ...process.env,
    NODE_ENV: 'production',
    SWITCHES: '',
    TRUNKLINE_SWITCH: '',
    SIP_CONTROL_PORT: String(controlPort),
  }
  const telephony = await startTelephony(environment, join(data, 'switch'), sipPort).catch((error) => {
    throw explain(error, { port: 0, databaseUrl: undefined, data })
  })
  if (!telephony.isRunning) throw new UserError(telephony.messages.join('\n'))
  stopOnSignal(telephony.close)
  const lines = [
    'The switch is ready.',
    ...telephony.messages.map((line) => `  ${line}`),
    `  Control port           ${telephony.settings.SWITCHES} (use a tunnel, see docs/telephony.md)`,
    `  Web phones             ${telephony.settings.PHONE_SWITCH} (use the same tunnel)`,
    `  Recording              ${telephony.settings.MEDIA_RTPENGINES} (MEDIA_RTPENGINES of a media process on this machine)`,
    'Stop with Ctrl-C.',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function readOptions(args: string[]): { controlPort: number; sipPort: number | null; data: string } {
  const options = { type: 'string' } as const
  const given = { 'control-port': options, 'sip-port': options, data: options }
  let values: { 'control-port'?: string; 'sip-port'?: string; data?: string }
  try {
    values = parseArgs({ args, options: given }).values
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  }
  if (!values['control-port']) throw new UserError(USAGE)
  const sipPort = values['sip-port'] || process.env.SIP_PORT
  return {
    controlPort: readPort('control port', values['control-port']),
    sipPort: sipPort ? readPort('SIP port', sipPort) : null,
    data: dataFolderOf(values.data),
  }
}
