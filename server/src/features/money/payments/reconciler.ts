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
/** Limit per run. The next run follows within a minute. */
const MAX_BATCHES = 40
/** Concurrent requests to the provider. */
const AT_ONCE = 8
/** Tolerance for clock differences with the provider. */
const CLOCKS_APART = HOUR

/**
 * Polls the provider for invoices that are open or can still be paid, and searches for invoices whose creation was not
 * answered.
 */
export function createReconciler({ db, clock, provider, reports, payments, logger }: Deps) {
  const owner = system('reconciler')

  return {
    /** Safe to run concurrently: each invoice is claimed by one run. */
    async run(): Promise<void> {
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const now = clock.now()
        const next = (invoice: DueInvoice) => nextPollAt(invoice.state, invoice.created_at, now)
        const due = await claimDueInvoices(db, owner, BATCH, next, now)
        if (due.length === 0) return
        const nameless = due.filter(({ track_id }) => track_id === null)
        const named = due.filter(({ track_id }) => track_id !== null)
        const answers = [...(await inTurn(named, lookUp)), ...(await find(nameless))]
        // The provider is unavailable, so the run ends.
        if (answers.every((isAnswered) => !isAnswered)) return
      }
    },
  }

  /** False without an answer. A failure of one invoice does not stop the others. */
  async function lookUp({ id, track_id }: DueInvoice): Promise<boolean> {
    try {
      const looked = await provider.lookUp(track_id ?? '')
      if (looked.outcome === 'found') await reports.take(looked.report, 'poll')
      else logger.warn({ invoice: id, ...looked }, 'failed to look up invoice')
      return looked.outcome !== 'unknown'
    } catch (error) {
      logger.error({ err: error, invoice: id }, 'failed to process payment report')
      return false
    }
  }

  async function find(nameless: readonly DueInvoice[]): Promise<boolean[]> {
    const [first] = nameless.map(({ created_at }) => created_at.getTime()).sort((a, b) => a - b)
    if (first === undefined) return []
    const orderIds = nameless.map(({ order_id }) => order_id)
    const found = await provider.findOrders(orderIds, earlier(new Date(first), CLOCKS_APART))
    if (found.outcome === 'unknown') {
      logger.warn({ why: found.why }, 'failed to read payment history')
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

/** Limits concurrency. */
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
