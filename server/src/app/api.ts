import { Refusal } from '@trunkline/contract/errors'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { booksEndpoints } from '../features/calls/books/endpoints.ts'
import { callFlowEndpoints } from '../features/calls/call-flows/endpoints.ts'
import { callQualityEndpoints } from '../features/calls/call-quality/endpoints.ts'
import { carrierInvoiceEndpoints } from '../features/calls/carrier-invoices/endpoints.ts'
import { cdrEndpoints } from '../features/calls/cdr/endpoints.ts'
import { liveCallEndpoints } from '../features/calls/live-calls/endpoints.ts'
import { recordingEndpoints } from '../features/calls/recordings/endpoints.ts'
import { routingSimulationEndpoints } from '../features/calls/routing-simulation/endpoints.ts'
import { sipTraceEndpoints } from '../features/calls/sip-traces/endpoints.ts'
import { testCallEndpoints } from '../features/calls/test-calls/endpoints.ts'
import { trunkQualityEndpoints } from '../features/calls/trunk-quality/endpoints.ts'
import { voicemailEndpoints } from '../features/calls/voicemail/endpoints.ts'
import { adminUserEndpoints } from '../features/desk/admin-users/endpoints.ts'
import { analysisEndpoints } from '../features/desk/analysis/endpoints.ts'
import { contactEndpoints } from '../features/desk/contact/endpoints.ts'
import { dashboardEndpoints } from '../features/desk/dashboard/endpoints.ts'
import { mergeEndpoints } from '../features/desk/merges/endpoints.ts'
import { searchEndpoints } from '../features/desk/search/endpoints.ts'
import { siteEndpoints } from '../features/desk/site/endpoints.ts'
import { accountEndpoints } from '../features/identity/accounts/endpoints.ts'
import { auditEndpoints } from '../features/identity/audit/endpoints.ts'
import { emailEndpoints } from '../features/identity/emails/endpoints.ts'
import { passwordEndpoints } from '../features/identity/passwords/endpoints.ts'
import { phoneEndpoints } from '../features/identity/phones/endpoints.ts'
import { savedViewEndpoints } from '../features/identity/saved-views/endpoints.ts'
import { sessionEndpoints } from '../features/identity/sessions/endpoints.ts'
import { sipCredentialEndpoints } from '../features/identity/sip-credentials/endpoints.ts'
import { balanceEndpoints } from '../features/money/balances/endpoints.ts'
import { paymentEndpoints } from '../features/money/payments/endpoints.ts'
import { promoCodeEndpoints } from '../features/money/promo-codes/endpoints.ts'
import { serveApiDocs } from './api-docs.ts'
import { catalogueRoutes } from './catalogue-services.ts'
import type { Config } from './config.ts'
import { demoAccounts } from './demo.ts'
import { answerError, createHttpServer, type Handlers, serveEndpoints } from './http.ts'
import { servePhoneSockets } from './phone-socket.ts'
import { addSecurityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { serveWeb } from './web.ts'

/** Creates the HTTP server: API, OpenAPI description and, if built, the web app. */
export function createApi(
  config: Config,
  services: Services,
  logger: Logger,
  webFolder?: string,
): FastifyInstance {
  const app = createHttpServer({ logger, trustProxy: config.trustProxy, metrics: services.metrics })
  services.metrics.gauge(
    { name: 'trunkline_event_streams', help: 'Open event streams.' },
    services.liveStreams.viewers,
  )
  addSecurityHeaders(app, { isHttps: config.publicUrl.startsWith('https:') })
  const site = {
    ...config.site,
    has_browser_phone: config.phoneSwitch !== null,
    demo:
      config.profile === 'demo'
        ? { accounts: demoAccounts, mailbox_url: config.sandboxMailboxUrl, dial_url: config.sandboxDialUrl }
        : null,
  }
  const handlers: Handlers = {
    ...accountEndpoints(services.accounts, services.profiles, services.emails),
    ...sessionEndpoints(services.sessions),
    ...passwordEndpoints(services.passwords),
    ...emailEndpoints(services.emails),
    ...contactEndpoints(services.contact, services.contactAdministration),
    ...paymentEndpoints({
      payments: services.payments,
      administration: services.paymentAdministration,
      refunds: services.refunds,
      reviews: services.reviews,
    }),
    ...promoCodeEndpoints(services.promoCodes, services.promoCodeAdministration),
    ...balanceEndpoints(services.balances),
    ...adminUserEndpoints(
      services.userAdministration,
      services.userNotes,
      services.userTags,
      services.customerHealth,
    ),
    ...mergeEndpoints(services.merges),
    ...booksEndpoints(services.books),
    ...auditEndpoints(services.audit),
    ...catalogueRoutes(services),
    ...liveCallEndpoints(services.liveCalls, services.liveStreams),
    ...sipCredentialEndpoints(services.sipCredentials),
    ...phoneEndpoints(services.phones),
    ...cdrEndpoints(services.callRecords),
    ...testCallEndpoints(services.testCalls),
    ...voicemailEndpoints(services.voicemail),
    ...recordingEndpoints(services),
    ...carrierInvoiceEndpoints(services.carrierInvoices),
    ...sipTraceEndpoints(services.sipTraces),
    ...callFlowEndpoints(services.callFlows),
    ...callQualityEndpoints(services.callQuality),
    ...routingSimulationEndpoints(services.routingSimulations),
    ...trunkQualityEndpoints(services.trunkQuality),
    ...dashboardEndpoints(services.dashboard),
    ...analysisEndpoints(services.analysis),
    ...savedViewEndpoints(services.savedViews),
    ...searchEndpoints(services.search),
    ...siteEndpoints(services.db, site),
  }
  serveEndpoints(app, handlers, services.sessions.identify)
  app.addHook('onReady', async () => services.liveStreams.start())
  if (config.phoneSwitch)
    servePhoneSockets(app, {
      phones: services.phones,
      logger,
      metrics: services.metrics,
      publicUrl: config.publicUrl,
      databaseUrl: config.databaseUrl,
      switchAddress: config.phoneSwitch,
    })
  serveApiDocs(app, config.site.name)
  if (webFolder) serveWeb(app, webFolder, site)
  else app.setNotFoundHandler((request, reply) => answerError(new Refusal('not_found'), request, reply))
  return app
}
