import { portFrom, runProcess } from '../shared/run.ts'
import { startDemoSwitch } from './start.ts'

/** The demo switch in its own process, for tests and benchmarks. */
await runProcess(async () => {
  const folder = process.env.SANDBOX_FOLDER
  const { port, controlPort, close } = await startDemoSwitch({
    id: process.env.SANDBOX_SWITCH_ID || 'demo',
    port: portFrom('SANDBOX_SWITCH_PORT'),
    controlPort: portFrom('SANDBOX_SWITCH_CONTROL_PORT'),
    isDemo: true,
    hasTraffic: process.env.SANDBOX_TRAFFIC !== 'off',
    ...(folder && { logFolder: folder }),
  })
  return { switchPort: port, switchControlPort: controlPort, close }
})
