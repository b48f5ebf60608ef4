import type { CallerIdPolicy } from '@trunkline/domain/callcontrol'
import type { Logger } from 'pino'
import { createAudio } from '../adapters/audio.ts'
import { createHostAddresses } from '../adapters/host-addresses.ts'
import { createCallerIdAdministration } from '../features/calls/caller-ids/administration.ts'
import { callerIdEndpoints } from '../features/calls/caller-ids/endpoints.ts'
import { createCallerIds } from '../features/calls/caller-ids/service.ts'
import type { CallFigures } from '../features/calls/figures/service.ts'
import { registrationEndpoints } from '../features/calls/registrations/endpoints.ts'
import { createRegistrations } from '../features/calls/registrations/service.ts'
import { sipHostEndpoints } from '../features/calls/sip-hosts/endpoints.ts'
import { createSipHosts } from '../features/calls/sip-hosts/service.ts'
import { bulkPricingEndpoints } from '../features/catalogue/bulk-pricing/endpoints.ts'
import { createBulkPricing } from '../features/catalogue/bulk-pricing/service.ts'
import { emergencyRouteEndpoints } from '../features/catalogue/emergency-route/endpoints.ts'
import { createEmergencyRoutes } from '../features/catalogue/emergency-route/service.ts'
import { flowEndpoints } from '../features/catalogue/flows/endpoints.ts'
import { createFlows } from '../features/catalogue/flows/service.ts'
import { guardEndpoints } from '../features/catalogue/guards/endpoints.ts'
import { createGuardSettings } from '../features/catalogue/guards/service.ts'
import { createLimitTemplates } from '../features/catalogue/guards/templates.ts'
import { numberTrialEndpoints } from '../features/catalogue/number-trials/endpoints.ts'
import { createNumberTrials } from '../features/catalogue/number-trials/service.ts'
import { numberEndpoints } from '../features/catalogue/numbers/endpoints.ts'
import { createNumberImports } from '../features/catalogue/numbers/import.ts'
import { createInventory } from '../features/catalogue/numbers/inventory.ts'
import { createRenewals } from '../features/catalogue/numbers/renewals.ts'
import { createRenting } from '../features/catalogue/numbers/renting.ts'
import { createNumbers } from '../features/catalogue/numbers/service.ts'
import { createNumberSettings } from '../features/catalogue/numbers/settings.ts'
import { planEndpoints } from '../features/catalogue/plans/endpoints.ts'
import { createPlans } from '../features/catalogue/plans/service.ts'
import { pricingEndpoints } from '../features/catalogue/pricing/endpoints.ts'
import { createPricing } from '../features/catalogue/pricing/service.ts'
import { rateDeckEndpoints } from '../features/catalogue/rate-decks/endpoints.ts'
import { createRateDecks } from '../features/catalogue/rate-decks/service.ts'
import { routeEndpoints } from '../features/catalogue/routes/endpoints.ts'
import { createRoutes } from '../features/catalogue/routes/service.ts'
import { routingRuleEndpoints } from '../features/catalogue/routing-rules/endpoints.ts'
import { createRoutingRules } from '../features/catalogue/routing-rules/service.ts'
import { selectedRouteEndpoints } from '../features/catalogue/selected-routes/endpoints.ts'
import { createSelectedRoutes } from '../features/catalogue/selected-routes/service.ts'
import { soundEndpoints } from '../features/catalogue/sounds/endpoints.ts'
import { createSounds } from '../features/catalogue/sounds/service.ts'
import { createSpeech } from '../features/catalogue/sounds/speech.ts'
import { systemPromptEndpoints } from '../features/catalogue/system-prompts/endpoints.ts'
import { createSystemPrompts } from '../features/catalogue/system-prompts/service.ts'
import { trunkEndpoints } from '../features/catalogue/trunks/endpoints.ts'
import { createTrunks } from '../features/catalogue/trunks/service.ts'
import { createTrunkTests } from '../features/catalogue/trunks/tests.ts'
import { createCustomerHealth } from '../features/desk/admin-users/health.ts'
import { createUserNotes } from '../features/desk/admin-users/notes.ts'
import { createUserTags } from '../features/desk/admin-users/tags.ts'
import { bulkActionEndpoints } from '../features/desk/bulk-actions/endpoints.ts'
import { createBulkActions } from '../features/desk/bulk-actions/service.ts'
import { createTicketAdministration } from '../features/desk/tickets/administration.ts'
import { createCannedReplies } from '../features/desk/tickets/canned-replies.ts'
import { ticketEndpoints } from '../features/desk/tickets/endpoints.ts'
import { createTickets } from '../features/desk/tickets/service.ts'
import { userStatsEndpoints } from '../features/desk/user-stats/endpoints.ts'
import { createUserStats } from '../features/desk/user-stats/service.ts'
import { createAlertAdministration } from '../features/identity/alerts/administration.ts'
import { alertEndpoints } from '../features/identity/alerts/endpoints.ts'
import type { Alerts } from '../features/identity/alerts/service.ts'
import { createAlertSettings } from '../features/identity/alerts/settings.ts'
import type { AttemptLimits } from '../features/identity/attempts/service.ts'
import type { Audit } from '../features/identity/audit/service.ts'
import type { Notices } from '../features/identity/notices/service.ts'
import { trustedAddressEndpoints } from '../features/identity/trusted-addresses/endpoints.ts'
import { createTrustedAddresses } from '../features/identity/trusted-addresses/service.ts'
import type { Ledger } from '../features/money/ledger/service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Exports } from '../platform/csv.ts'
import type { Database } from '../platform/database.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Mailer } from '../platform/mailer.ts'
import { systemTimers } from '../platform/timers.ts'

type Shared = {
  db: Database
  databaseUrl: string
  clock: Clock
  ledger: Ledger
  attempts: AttemptLimits
  audit: Audit
  alerts: Alerts
  notices: Notices
  /** Hosts of the portal and of the switches. */
  ownHosts: readonly string[]
  callerIds: CallerIdPolicy
  /** Realm of SIP digests. */
  realm: string
  jobs: Jobs
  exports: Exports
  figures: CallFigures
  logger: Logger
  mailer: Mailer
  publicUrl: string
  siteName: string
}

type NumberDeps = Pick<
  Shared,
  'db' | 'clock' | 'logger' | 'ledger' | 'audit' | 'alerts' | 'jobs' | 'mailer' | 'publicUrl' | 'siteName'
>

function createNumberServices(deps: NumberDeps) {
  const { db, clock, ledger, audit } = deps
  const renting = createRenting(clock, ledger)
  const renewals = createRenewals(deps)
  return {
    renewals,
    numbers: createNumbers(db, renting),
    inventory: createInventory({ db, clock, audit, renting, renewals }),
    numberImports: createNumberImports(db, clock, audit),
    numberSettings: createNumberSettings(db, clock, audit),
  }
}

type FlowDeps = Pick<Shared, 'db' | 'clock' | 'ledger' | 'attempts' | 'audit' | 'callerIds'>

function createFlowServices({ db, clock, ledger, attempts, audit, callerIds }: FlowDeps) {
  const pricing = createPricing({ db, ledger, callerIds, timers: systemTimers })
  const audio = createAudio()
  const speech = createSpeech(db, clock, audio.speak)
  return {
    pricing,
    speech,
    flows: createFlows({ db, clock, attempts, speech, forwardRefusal: pricing.forwardRefusal }),
    sounds: createSounds({ db, clock, attempts, speech, audio }),
    systemPrompts: createSystemPrompts({ db, clock, audit, speech, audio }),
  }
}

type CatalogueServices = ReturnType<typeof createCatalogueServices>

/** Wires the catalogue, limits, alerts, notes and ticket services. */
export const createCatalogueServices = ({
  db,
  databaseUrl,
  clock,
  ledger,
  attempts,
  audit,
  alerts,
  notices,
  ownHosts,
  callerIds,
  realm,
  jobs,
  exports,
  figures,
  logger,
  mailer,
  publicUrl,
  siteName,
}: Shared) => ({
  ...createNumberServices({ db, clock, logger, ledger, audit, alerts, jobs, mailer, publicUrl, siteName }),
  ...createFlowServices({ db, clock, ledger, attempts, audit, callerIds }),
  plans: createPlans(db, clock, audit),
  routes: createRoutes(db, clock, audit),
  selectedRoutes: createSelectedRoutes(db, clock, audit),
  trunks: createTrunks(db, clock, audit, alerts, realm),
  trunkTests: createTrunkTests({ db, databaseUrl, clock, timers: systemTimers }),
  rateDecks: createRateDecks({ db, clock, audit, jobs }),
  bulkPricing: createBulkPricing({ db, clock, audit, exports, figures }),
  numberTrials: createNumberTrials(db, clock),
  routingRules: createRoutingRules(db, clock, audit, alerts),
  callerIds: createCallerIds(db, clock, alerts, callerIds),
  callerIdAdministration: createCallerIdAdministration(db, clock, audit, alerts, callerIds),
  emergencyRoutes: createEmergencyRoutes(db, clock, audit),
  sipHosts: createSipHosts(db, clock, audit),
  trustedAddresses: createTrustedAddresses({
    db,
    clock,
    audit,
    alerts,
    attempts,
    notices,
    ownHosts,
    resolve: createHostAddresses().resolve,
  }),
  guards: createGuardSettings(db, clock, audit),
  limitTemplates: createLimitTemplates(db, clock, audit),
  alerts,
  alertAdministration: createAlertAdministration(db, clock, audit),
  alertSettings: createAlertSettings(db, clock, audit),
  registrations: createRegistrations(db, clock),
  userNotes: createUserNotes(db, clock, audit),
  userTags: createUserTags(db, audit),
  userStats: createUserStats(db, clock),
  customerHealth: createCustomerHealth(db, clock),
  bulkActions: createBulkActions(db, clock, audit),
  tickets: createTickets(db, clock, attempts),
  ticketAdministration: createTicketAdministration(db, clock, audit),
  cannedReplies: createCannedReplies(db, clock, audit),
})

export const catalogueRoutes = (services: CatalogueServices) => ({
  ...planEndpoints(services.plans),
  ...routeEndpoints(services.routes),
  ...selectedRouteEndpoints(services.selectedRoutes),
  ...trunkEndpoints(services.trunks, services.trunkTests),
  ...rateDeckEndpoints(services.rateDecks),
  ...bulkPricingEndpoints(services.bulkPricing),
  ...numberTrialEndpoints(services.numberTrials),
  ...numberEndpoints(services),
  ...flowEndpoints(services.flows),
  ...soundEndpoints(services.sounds),
  ...systemPromptEndpoints(services.systemPrompts),
  ...routingRuleEndpoints(services.routingRules),
  ...pricingEndpoints(services.pricing),
  ...callerIdEndpoints(services.callerIds, services.callerIdAdministration),
  ...emergencyRouteEndpoints(services.emergencyRoutes),
  ...sipHostEndpoints(services.sipHosts),
  ...trustedAddressEndpoints(services.trustedAddresses),
  ...guardEndpoints(services.guards, services.limitTemplates),
  ...alertEndpoints(services.alerts, services.alertAdministration, services.alertSettings),
  ...registrationEndpoints(services.registrations),
  ...userStatsEndpoints(services.userStats),
  ...bulkActionEndpoints(services.bulkActions),
  ...ticketEndpoints(services.tickets, services.ticketAdministration, services.cannedReplies),
})
