import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, earlier, HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import type { PaymentProvider } from '../../../platform/payment-provider.ts'
import { GIVEN_UP_AFTER, nextPollAt } from './polling.ts'
import type { Reports } from './reports.ts'
import type { Payments } from './service.ts'
import { claimDueInvoices, type DueInvoice } from './store.ts'

export const reconcilePayments = defineJob<Record<string, never>>('reconcile-payments')
export const EVERY_MINUTE = '* * * * *'

type Deps = {
  db: Database
  clock: Clock
  provider: PaymentProvider
  reports: Reports
  payments: Payments
  logger: Logger
}

const BATCH = 50
/** A run ends after so many; what is left is due in the next minute. */
const MAX_BATCHES = 40
/** Questions to the provider at once. */
const AT_ONCE = 8
/** The provider's clock need not be ours. */
const CLOCKS_APART = HOUR

/**
 * Finds out what callbacks did not tell: asks about every invoice that is still open, or could still be paid, each in
 * its own time, and looks for those whose creation was never answered.
 */
export function createReconciler({ db, clock, provider, reports, payments, logger }: Deps) {
  const owner = system('reconciler')

  return {
    /** Any number may run at once: each invoice is taken by one of them. */
    async run(): Promise<void> {
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const now = clock.now()
        const next = (invoice: DueInvoice) => nextPollAt(invoice.state, invoice.created_at, now)
        const due = await claimDueInvoices(db, owner, BATCH, next, now)
        if (due.length === 0) return
        const nameless = due.filter(({ track_id }) => track_id === null)
        const named = due.filter(({ track_id }) => track_id !== null)
        const answers = [...(await inTurn(named, lookUp)), ...(await find(nameless))]
        // The provider is away: the others can wait for the next run as well.
        if (answers.every((isAnswered) => !isAnswered)) return
      }
    },
  }

  /** False when no answer came; a failure with one invoice must not keep the others from being asked. */
  async function lookUp({ id, track_id }: DueInvoice): Promise<boolean> {
    try {
      const looked = await provider.lookUp(track_id ?? '')
      if (looked.outcome === 'found') await reports.take(looked.report, 'poll')
      else logger.warn({ invoice: id, ...looked }, 'the payment provider does not tell about an invoice')
      return looked.outcome !== 'unknown'
    } catch (error) {
      logger.error({ err: error, invoice: id }, 'what the payment provider tells could not be taken in')
      return false
    }
  }

  async function find(nameless: readonly DueInvoice[]): Promise<boolean[]> {
    const [first] = nameless.map(({ created_at }) => created_at.getTime()).sort((a, b) => a - b)
    if (first === undefined) return []
    const orderIds = nameless.map(({ order_id }) => order_id)
    const found = await provider.findOrders(orderIds, earlier(new Date(first), CLOCKS_APART))
    if (found.outcome === 'unknown') {
      logger.warn({ why: found.why }, 'the payment provider does not tell its history')
      return nameless.map(() => false)
    }
    for (const report of found.reports) await reports.take(report, 'poll')
    const known = new Set(found.reports.map(({ orderId }) => orderId))
    const longAgo = earlier(clock.now(), GIVEN_UP_AFTER)
    for (const { id, order_id, created_at } of nameless) {
      if (found.isWhole && !known.has(order_id) && created_at <= longAgo) await payments.giveUp(id)
    }
    return nameless.map(() => true)
  }
}

/** A few at once. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))))
  }
  return results
}
