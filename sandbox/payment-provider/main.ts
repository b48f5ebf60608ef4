import { join } from 'node:path'
import { portFrom, runProcess, settingFrom } from '../shared/run.ts'
import { startPaymentProvider } from './start.ts'

await runProcess(() =>
  startPaymentProvider({
    folder: join(settingFrom('SANDBOX_FOLDER'), 'payment-provider'),
    port: portFrom('SANDBOX_PAYMENT_PORT'),
    merchantKey: settingFrom('SANDBOX_MERCHANT_KEY'),
    ...(process.env.SANDBOX_PAYMENT_PUBLIC_URL && { publicUrl: process.env.SANDBOX_PAYMENT_PUBLIC_URL }),
  }),
)
