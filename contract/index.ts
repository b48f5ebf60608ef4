import { accounts } from './accounts.ts'
import { adminBalances } from './admin-balances.ts'
import { adminPayments } from './admin-payments.ts'
import { adminPromoCodes } from './admin-promo-codes.ts'
import { adminUsers } from './admin-users.ts'
import { alerts } from './alerts.ts'
import { analysis } from './analysis.ts'
import { auditLog } from './audit-log.ts'
import { bulkActions } from './bulk-actions.ts'
import { bulkPricing } from './bulk-pricing.ts'
import { callFlows } from './call-flows.ts'
import { callQuality } from './call-quality.ts'
import { callerIds } from './caller-ids.ts'
import { cannedReplies } from './canned-replies.ts'
import { carrierInvoices } from './carrier-invoices.ts'
import { cdr } from './cdr.ts'
import { contact } from './contact.ts'
import { dashboard } from './dashboard.ts'
import { emails } from './emails.ts'
import { emergencyRoute } from './emergency-route.ts'
import type { Answered, Endpoint, Endpoints, Sent } from './endpoint.ts'
import { flows } from './flows.ts'
import { guards } from './guards.ts'
import { limitTemplates } from './limit-templates.ts'
import { liveCalls } from './live-calls.ts'
import { merges } from './merges.ts'
import { numberTrials } from './number-trials.ts'
import { numbers } from './numbers.ts'
import { passwords } from './passwords.ts'
import { payments } from './payments.ts'
import { phone } from './phone.ts'
import { plans } from './plans.ts'
import { pricing } from './pricing.ts'
import { promoCodes } from './promo-codes.ts'
import { rateDecks } from './rate-decks.ts'
import { recordings } from './recordings.ts'
import { registrations } from './registrations.ts'
import { routes } from './routes.ts'
import { routingRules } from './routing-rules.ts'
import { savedViews } from './saved-views.ts'
import { search } from './search.ts'
import { sessions } from './sessions.ts'
import { sipCredentials } from './sip-credentials.ts'
import { sipHosts } from './sip-hosts.ts'
import { sipMessages } from './sip-messages.ts'
import { site } from './site.ts'
import { sounds } from './sounds.ts'
import { statements } from './statements.ts'
import { systemPrompts } from './system-prompts.ts'
import { testCalls } from './test-calls.ts'
import { tickets } from './tickets.ts'
import { trunks } from './trunks.ts'
import { trustedAddresses } from './trusted-addresses.ts'
import { userNotes } from './user-notes.ts'
import { userStats } from './user-stats.ts'
import { voicemail } from './voicemail.ts'

/** All endpoints. The server serves no others. */
export const endpoints = {
  ...accounts,
  ...sessions,
  ...passwords,
  ...emails,
  ...contact,
  ...payments,
  ...statements,
  ...promoCodes,
  ...adminPayments,
  ...adminPromoCodes,
  ...adminBalances,
  ...adminUsers,
  ...bulkActions,
  ...merges,
  ...userNotes,
  ...liveCalls,
  ...cdr,
  ...dashboard,
  ...analysis,
  ...savedViews,
  ...alerts,
  ...auditLog,
  ...callerIds,
  ...flows,
  ...sounds,
  ...systemPrompts,
  ...guards,
  ...limitTemplates,
  ...numberTrials,
  ...numbers,
  ...phone,
  ...plans,
  ...pricing,
  ...rateDecks,
  ...bulkPricing,
  ...carrierInvoices,
  ...recordings,
  ...registrations,
  ...routes,
  ...routingRules,
  ...search,
  ...sipCredentials,
  ...sipHosts,
  ...sipMessages,
  ...callFlows,
  ...callQuality,
  ...emergencyRoute,
  ...testCalls,
  ...tickets,
  ...cannedReplies,
  ...trunks,
  ...trustedAddresses,
  ...userStats,
  ...voicemail,
  ...site,
} as const satisfies Endpoints

export type Api = typeof endpoints
export type Address = keyof Api

/** Request and answer types of an endpoint, for the browser. */
export type RequestOf<A extends Address> = Sent<Api[A] & Endpoint>
export type AnswerOf<A extends Address> = Answered<Api[A] & Endpoint>

/** Splits `POST /api/routes/:id`. */
export function methodAndPath(address: string): { method: string; path: string } {
  const space = address.indexOf(' ')
  return { method: address.slice(0, space), path: address.slice(space + 1) }
}
