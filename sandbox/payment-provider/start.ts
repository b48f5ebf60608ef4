import { createWeb, portOf } from '../shared/web.ts'
import { merchantApi } from './api.ts'
import { controlRoutes } from './control-routes.ts'
import type { Invoice } from './invoice.ts'
import { payRoutes } from './pay-routes.ts'
import { Provider } from './provider.ts'

interface PaymentProviderOptions {
  /** 0 takes any free port. */
  port: number
  merchantKey: string
  /** Where invoices and undelivered callbacks are kept over a restart. */
  folder: string
  host?: string
  /** Where a browser reaches the payment page, when that is not the host and port we listen on. */
  publicUrl?: string
  /** Seconds between the attempts of a callback. */
  retrySeconds?: number[]
  /** How long the merchant may take to answer a callback. */
  callbackTimeoutMs?: number
}

interface RunningPaymentProvider {
  port: number
  /** The base of the merchant API and of the levers below `/sandbox`. */
  url: string
  close(): Promise<void>
}

/** OxaPay tries five times: the second after a minute, then after 3 and 30 more minutes, the last after 3 hours. */
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
