import type { CallerIdPolicy } from '@trunkline/domain/callcontrol'
import { createHostAddresses } from '../adapters/host-addresses.ts'
import { createAlertAdministration } from '../features/alerts/administration.ts'
import { alertRoutes } from '../features/alerts/routes.ts'
import type { Alerts } from '../features/alerts/service.ts'
import { createAlertSettings } from '../features/alerts/settings.ts'
import type { AttemptLimits } from '../features/attempts/service.ts'
import type { Audit } from '../features/audit/service.ts'
import { createCallerIdAdministration } from '../features/caller-ids/administration.ts'
import { callerIdRoutes } from '../features/caller-ids/routes.ts'
import { createCallerIds } from '../features/caller-ids/service.ts'
import { emergencyRouteRoutes } from '../features/emergency-route/routes.ts'
import { createEmergencyRoutes } from '../features/emergency-route/service.ts'
import { guardRoutes } from '../features/guards/routes.ts'
import { createGuardSettings } from '../features/guards/service.ts'
import type { Ledger } from '../features/ledger/service.ts'
import type { Notices } from '../features/notices/service.ts'
import { numberTrialRoutes } from '../features/number-trials/routes.ts'
import { createNumberTrials } from '../features/number-trials/service.ts'
import { planRoutes } from '../features/plans/routes.ts'
import { createPlans } from '../features/plans/service.ts'
import { pricingRoutes } from '../features/pricing/routes.ts'
import { createPricing } from '../features/pricing/service.ts'
import { rateDeckRoutes } from '../features/rate-decks/routes.ts'
import { createRateDecks } from '../features/rate-decks/service.ts'
import { registrationRoutes } from '../features/registrations/routes.ts'
import { createRegistrations } from '../features/registrations/service.ts'
import { routeRoutes } from '../features/routes/routes.ts'
import { createRoutes } from '../features/routes/service.ts'
import { selectedRouteRoutes } from '../features/selected-routes/routes.ts'
import { createSelectedRoutes } from '../features/selected-routes/service.ts'
import { sipHostRoutes } from '../features/sip-hosts/routes.ts'
import { createSipHosts } from '../features/sip-hosts/service.ts'
import { createTicketAdministration } from '../features/tickets/administration.ts'
import { ticketRoutes } from '../features/tickets/routes.ts'
import { createTickets } from '../features/tickets/service.ts'
import { trunkRoutes } from '../features/trunks/routes.ts'
import { createTrunks } from '../features/trunks/service.ts'
import { createTrunkTests } from '../features/trunks/tests.ts'
import { trustedAddressRoutes } from '../features/trusted-addresses/routes.ts'
import { createTrustedAddresses } from '../features/trusted-addresses/service.ts'
import { userStatsRoutes } from '../features/user-stats/routes.ts'
import { createUserStats } from '../features/user-stats/service.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
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
}

type CatalogueServices = ReturnType<typeof createCatalogueServices>

/** What is sold, over whom, to whom and within which limits; and the talk about it. */
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
}: Shared) => ({
  plans: createPlans(db, clock, audit),
  routes: createRoutes(db, clock, audit),
  selectedRoutes: createSelectedRoutes(db, clock, audit),
  trunks: createTrunks(db, clock, audit),
  trunkTests: createTrunkTests({ db, databaseUrl, clock, timers: systemTimers }),
  rateDecks: createRateDecks(db, clock, audit),
  numberTrials: createNumberTrials(db, clock),
  pricing: createPricing({ db, ledger, callerIds, timers: systemTimers }),
  callerIds: createCallerIds(db, clock, alerts, callerIds),
  callerIdAdministration: createCallerIdAdministration(db, clock, audit, alerts, callerIds),
  emergencyRoutes: createEmergencyRoutes(db, clock, audit),
  sipHosts: createSipHosts(db, clock, audit),
  trustedAddresses: createTrustedAddresses({
    ...{ db, clock, audit, alerts, attempts, notices, ownHosts },
    resolve: createHostAddresses().resolve,
  }),
  guards: createGuardSettings(db, clock, audit),
  alerts,
  alertAdministration: createAlertAdministration(db, clock, audit),
  alertSettings: createAlertSettings(db, clock, audit),
  registrations: createRegistrations(db, clock),
  userStats: createUserStats(db, clock),
  tickets: createTickets(db, clock, attempts),
  ticketAdministration: createTicketAdministration(db, clock, audit),
})

export const catalogueRoutes = (services: CatalogueServices) => ({
  ...planRoutes(services.plans),
  ...routeRoutes(services.routes),
  ...selectedRouteRoutes(services.selectedRoutes),
  ...trunkRoutes(services.trunks, services.trunkTests),
  ...rateDeckRoutes(services.rateDecks),
  ...numberTrialRoutes(services.numberTrials),
  ...pricingRoutes(services.pricing),
  ...callerIdRoutes(services.callerIds, services.callerIdAdministration),
  ...emergencyRouteRoutes(services.emergencyRoutes),
  ...sipHostRoutes(services.sipHosts),
  ...trustedAddressRoutes(services.trustedAddresses),
  ...guardRoutes(services.guards),
  ...alertRoutes(services.alerts, services.alertAdministration, services.alertSettings),
  ...registrationRoutes(services.registrations),
  ...userStatsRoutes(services.userStats),
  ...ticketRoutes(services.tickets, services.ticketAdministration),
})
