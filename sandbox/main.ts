import { join } from 'node:path'
import { startDemoCarrier } from './carriers/start.ts'
import { startMailbox } from './mailbox/start.ts'
import { startPaymentProvider } from './payment-provider/start.ts'
import { startCaller } from './public-network/caller.ts'
import { dialRoutes } from './public-network/routes.ts'
import { portFrom, runProcess, settingFrom } from './shared/run.ts'
import { startDemoSwitch } from './switch/start.ts'

/** All sandbox services in one process, started by the launcher. */
async function startSandbox() {
  const folder = settingFrom('SANDBOX_FOLDER')
  const merchantKey = settingFrom('SANDBOX_MERCHANT_KEY')
  const publicUrl = process.env.SANDBOX_PAYMENT_PUBLIC_URL
  const mailbox = await startMailbox({
    folder: join(folder, 'mailbox'),
    smtpPort: portFrom('SANDBOX_MAILBOX_SMTP_PORT'),
    httpPort: portFrom('SANDBOX_MAILBOX_HTTP_PORT'),
  })
  const provider = await startPaymentProvider({
    folder: join(folder, 'payment-provider'),
    port: portFrom('SANDBOX_PAYMENT_PORT'),
    merchantKey,
    ...(publicUrl && { publicUrl }),
  })
  const caller = await startCaller({ host: '127.0.0.1', port: 0 })
  const carrier = await startDemoCarrier({ host: '127.0.0.1', port: portFrom('SANDBOX_CARRIER_PORT') })
  const demoSwitch = await startDemoSwitch({
    id: 'demo',
    isDemo: true,
    port: portFrom('SANDBOX_SWITCH_PORT'),
    controlPort: portFrom('SANDBOX_SWITCH_CONTROL_PORT'),
    hasTraffic: process.env.SANDBOX_TRAFFIC !== 'off',
    addPages: async (web) => {
      await web.register(dialRoutes, { caller, carrier })
    },
  })
  return {
    mailboxSmtpPort: mailbox.smtpPort,
    mailboxHttpPort: mailbox.httpPort,
    paymentPort: provider.port,
    switchPort: demoSwitch.port,
    switchControlPort: demoSwitch.controlPort,
    carrierPort: carrier.port,
    networkPort: caller.port,
    async close() {
      await Promise.all([
        mailbox.close(),
        provider.close(),
        demoSwitch.close(),
        carrier.close(),
        caller.close(),
      ])
    },
  }
}

await runProcess(startSandbox)
