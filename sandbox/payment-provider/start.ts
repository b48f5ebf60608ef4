import { createWeb, portOf } from '../shared/web.ts'
import { merchantApi } from './api.ts'
import { controlRoutes } from './control-routes.ts'
import type { Invoice } from './invoice.ts'
import { payRoutes } from './pay-routes.ts'
import { Provider } from './provider.ts'

interface PaymentProviderOptions {
  /** 0 means any free port. */
  port: number
  merchantKey: string
  /** Folder for invoices and undelivered callbacks. */
  folder: string
  host?: string
  /** Public address of the payment page, if it differs from the listening address. */
  publicUrl?: string
  /** Seconds between callback attempts. */
  retrySeconds?: number[]
  /** Timeout of a callback request. */
  callbackTimeoutMs?: number
}

interface RunningPaymentProvider {
  port: number
  /** Base URL of the merchant API and of the test controls under `/sandbox`. */
  url: string
  close(): Promise<void>
}

/** OxaPay makes five attempts, with delays of 1 minute, 3 minutes, 30 minutes and 3 hours. */
const RETRY_SECONDS = [60, 3 * 60, 30 * 60, 3 * 3600]
const CALLBACK_TIMEOUT_MS = 10_000

export async function startPaymentProvider(options: PaymentProviderOptions): Promise<RunningPaymentProvider> {
  const { port, merchantKey, folder, host = '127.0.0.1', retrySeconds = RETRY_SECONDS } = options
  const { callbackTimeoutMs = CALLBACK_TIMEOUT_MS } = options
  const provider = new Provider({ folder, merchantKey, retrySeconds, callbackTimeoutMs })
  const web = createWeb()
  const address = () => `http://${host}:${portOf(web.server.address())}`
  const paymentUrl = (invoice: Invoice) => `${options.publicUrl ?? address()}/pay/${invoice.track_id}`

  web.get('/', (_request, reply) => reply.redirect('/sandbox'))
  await web.register(merchantApi, { prefix: '/v1/payment', provider, merchantKey, paymentUrl })
  await web.register(payRoutes, { provider })
  await web.register(controlRoutes, { provider, retrySeconds })
  try {
    await web.listen({ port, host })
  } catch (error) {
    provider.stop()
    throw error
  }
  return {
    port: portOf(web.server.address()),
    url: address(),
    async close() {
      provider.stop()
      await web.close()
    },
  }
}
