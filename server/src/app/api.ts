import { Refusal } from '@trunkline/contract/errors'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { accountRoutes } from '../features/accounts/routes.ts'
import { adminUserRoutes } from '../features/admin-users/routes.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { balanceRoutes } from '../features/balances/routes.ts'
import { cdrRoutes } from '../features/cdr/routes.ts'
import { contactRoutes } from '../features/contact/routes.ts'
import { dashboardRoutes } from '../features/dashboard/routes.ts'
import { emailRoutes } from '../features/emails/routes.ts'
import { booksRoutes } from '../features/ledger/routes.ts'
import { liveCallRoutes } from '../features/live-calls/routes.ts'
import { passwordRoutes } from '../features/passwords/routes.ts'
import { adminPaymentRoutes } from '../features/payments/admin-routes.ts'
import { paymentRoutes } from '../features/payments/routes.ts'
import { phoneRoutes } from '../features/phones/routes.ts'
import { promoCodeRoutes } from '../features/promo-codes/routes.ts'
import { sessionRoutes } from '../features/sessions/routes.ts'
import { sipCredentialRoutes } from '../features/sip-credentials/routes.ts'
import { siteRoutes } from '../features/site/routes.ts'
import { serveApiDocs } from './api-docs.ts'
import { catalogueRoutes } from './catalogue-services.ts'
import type { Config } from './config.ts'
import { demoAccounts } from './demo.ts'
import { answerError, createHttpServer, type Handlers, serveEndpoints } from './http.ts'
import { servePhoneSockets } from './phone-socket.ts'
import { addSecurityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { serveWeb } from './web.ts'

/** The HTTP side, ready to listen: the API, its description, and the web app where one is built. */
export function createApi(
  config: Config,
  services: Services,
  logger: Logger,
  webFolder?: string,
): FastifyInstance {
  const app = createHttpServer({ logger, trustProxy: config.trustProxy, metrics: services.metrics })
  services.metrics.gauge(
    { name: 'trunkline_event_streams', help: 'Streams of events that browsers read.' },
    services.liveStreams.viewers,
  )
  addSecurityHeaders(app, { isHttps: config.publicUrl.startsWith('https:') })
  const site = {
    ...config.site,
    demo:
      config.profile === 'demo' ? { accounts: demoAccounts, mailbox_url: config.sandboxMailboxUrl } : null,
  }
  const handlers: Handlers = {
    ...accountRoutes(services.accounts, services.profiles, services.emails),
    ...sessionRoutes(services.sessions),
    ...passwordRoutes(services.passwords),
    ...emailRoutes(services.emails),
    ...contactRoutes(services.contact, services.contactAdministration),
    ...paymentRoutes(services.payments),
    ...promoCodeRoutes(services.promoCodes, services.promoCodeAdministration),
    ...adminPaymentRoutes({
      administration: services.paymentAdministration,
      refunds: services.refunds,
      reviews: services.reviews,
    }),
    ...balanceRoutes(services.balances),
    ...adminUserRoutes(services.userAdministration),
    ...booksRoutes(services.books),
    ...auditRoutes(services.audit),
    ...catalogueRoutes(services),
    ...liveCallRoutes(services.liveCalls, services.liveStreams),
    ...sipCredentialRoutes(services.sipCredentials),
    ...phoneRoutes(services.phones),
    ...cdrRoutes(services.callRecords),
    ...dashboardRoutes(services.dashboard),
    ...siteRoutes(services.db, site),
  }
  serveEndpoints(app, handlers, services.sessions.identify)
  app.addHook('onReady', async () => services.liveStreams.start())
  if (config.phoneSwitch)
    servePhoneSockets(app, {
      ...{ phones: services.phones, logger, metrics: services.metrics, publicUrl: config.publicUrl },
      ...{ databaseUrl: config.databaseUrl, switchAddress: config.phoneSwitch },
    })
  serveApiDocs(app, config.site.name)
  if (webFolder) serveWeb(app, webFolder)
  else app.setNotFoundHandler((request, reply) => answerError(new Refusal('not_found'), request, reply))
  return app
}
