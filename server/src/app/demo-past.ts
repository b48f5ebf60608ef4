import type { HistoricCall } from '@trunkline/contract/demo-history'
import { type Caller, system } from '@trunkline/domain/access'
import { pino } from 'pino'
import { createCallRecords } from '../features/calls/cdr/service.ts'
import { importPast, type MovedClock, type PastEvent } from '../features/calls/demo-history/service.ts'
import { listTrunks } from '../features/catalogue/trunks/store.ts'
import { createUserNotes } from '../features/desk/admin-users/notes.ts'
import { updateUser } from '../features/desk/admin-users/store.ts'
import { createUserTags } from '../features/desk/admin-users/tags.ts'
import { createContactAdministration } from '../features/desk/contact/administration.ts'
import { createContact } from '../features/desk/contact/service.ts'
import { createTicketAdministration } from '../features/desk/tickets/administration.ts'
import { createCannedReplies } from '../features/desk/tickets/canned-replies.ts'
import { createTickets } from '../features/desk/tickets/service.ts'
import { createAlertAdministration } from '../features/identity/alerts/administration.ts'
import { createAlerts } from '../features/identity/alerts/service.ts'
import { createAttemptLimits } from '../features/identity/attempts/service.ts'
import type { Audit } from '../features/identity/audit/service.ts'
import { findUserByName } from '../features/identity/users/store.ts'
import { createBalanceWatch } from '../features/money/balances/balance-watch.ts'
import { createLedger } from '../features/money/ledger/service.ts'
import { type Clock, DAY, earlier } from '../platform/clock.ts'
import { createExports } from '../platform/csv.ts'
import type { Database } from '../platform/database.ts'
import { joinTransaction } from '../platform/joined-transaction.ts'
import type { Config } from './config.ts'
import { addCarrierPast } from './demo-carriers.ts'
import { demoCustomers } from './demo-catalogue.ts'
import { deskEvents } from './demo-desk.ts'
import { numberEvents } from './demo-numbers.ts'
import { endOfPolling, moneyEventsOf, openingCredit, pastProvider, promoCodeEvents } from './demo-payments.ts'
import { createPaymentServices } from './payment-services.ts'

const owner = system('demo history')

const CLOSED = { username: 'oldtown-cafe', daysAgo: 32.5 }

type Options = { db: Database; config: Config; now: Date; tell?: (calls: number) => void }

/**
 * Gives a new demo its past: calls, payments, promo codes, tickets, notes and alerts. Real services do all of it, with their clock in the
 * past, the payments, tickets and calls in one transaction. A second call adds nothing. Returns the number of imported calls.
 */
export async function importDemoPast(
  calls: readonly HistoricCall[],
  { db, config, now, tell }: Options,
): Promise<number> {
  const imported = await importPast(db, calls, {
    openingCredit,
    ...(tell && { tell }),
    eventsIn: (tx, clock) => eventsIn(joinTransaction(tx), clock, config, now),
  })
  // Invoices of carriers are compared with the imported calls.
  if (imported > 0)
    await addCarrierPast({
      db,
      databaseUrl: config.databaseUrl,
      now,
      admin: { userId: await idOf(db, 'admin'), isAdmin: true },
    })
  return imported
}

async function eventsIn(db: Database, clock: MovedClock, config: Config, now: Date): Promise<PastEvent[]> {
  const alerts = createAlerts(db, clock)
  const attempts = createAttemptLimits(db, clock)
  const exports = createExports(config.databaseUrl)
  const shared = {
    db,
    clock,
    alerts,
    attempts,
    logger: pino({ level: 'silent' }),
    ledger: createLedger(db, clock, createBalanceWatch(alerts)),
    exports,
    findChargedCalls: createCallRecords(db, clock, exports).findCharged,
  }
  const services = createPaymentServices(config, shared, pastProvider(clock, config.publicUrl))
  const { audit } = services
  const admin: Caller = { userId: await idOf(db, 'admin'), isAdmin: true }
  const past = { services, clock, now, admin }
  const ids = new Map<string, number>()
  for (const { username } of demoCustomers) ids.set(username, await idOf(db, username))
  const trunks = new Map((await listTrunks(db, owner, now)).map(({ name, id }) => [name, id]))
  const desk = {
    alerts,
    tickets: createTickets(db, clock, attempts),
    ticketAdministration: createTicketAdministration(db, clock, audit),
    cannedReplies: createCannedReplies(db, clock, audit),
    contact: createContact(db, clock, attempts),
    contactAdministration: createContactAdministration(db, clock, audit),
    userNotes: createUserNotes(db, clock, audit),
    userTags: createUserTags(db, audit),
    alertAdministration: createAlertAdministration(db, clock, audit),
  }
  const userIdOf = (username: string) => ids.get(username) ?? 0
  return [
    ...promoCodeEvents(past),
    ...[...ids].flatMap(([username, id]) => moneyEventsOf({ id, username }, past)),
    ...deskEvents(desk, { now, admin, idOf: userIdOf, trunkIdOf: (name) => trunks.get(name) ?? 0 }),
    {
      at: earlier(now, CLOSED.daysAgo * DAY),
      run: () => closeAccount(db, clock, audit, admin, userIdOf(CLOSED.username)),
    },
    ...numberEvents(db, clock, shared.ledger, now),
    endOfPolling(past),
  ]
}

async function idOf(db: Database, username: string): Promise<number> {
  const user = await findUserByName(db, owner, username)
  if (!user) throw new Error(`the demo account ${username} is missing`)
  return user.id
}

async function closeAccount(db: Database, clock: Clock, audit: Audit, admin: Caller, userId: number) {
  await updateUser(db, owner, userId, { disabled_at: clock.now() })
  await audit.write(db, admin, {
    action: 'user.disable',
    subject: `user ${userId}`,
    userId,
    before: { is_disabled: false },
    after: { is_disabled: true },
    reason: 'The customer closed the account',
  })
}
