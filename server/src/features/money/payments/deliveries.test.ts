import { expect, it } from 'vitest'
import { beginMany, createTill, expectEachCreditedOnce, newCustomers } from '../../../../test/payments.ts'

const INVOICES = 160
const MAX_COPIES = 20
/** Avoids timeouts of the connection pool, which this test does not cover. */
const MAX_AT_ONCE = 25

/** 1 to 20 deliveries, mostly few, like real retries. */
const copiesOf = (n: number) => 1 + Math.round((MAX_COPIES - 1) * (n / (INVOICES - 1)) ** 3)

it('credits each of many invoices once when callbacks arrive 1 to 20 times, shuffled, at once and after expiry', {
  timeout: 240_000,
}, async () => {
  const till = await createTill()
  const customers = await newCustomers(till, 20)
  const begun = await beginMany(till, customers, INVOICES)
  expect(begun).toHaveLength(INVOICES)

  for (let copies = 1; copies <= MAX_COPIES; copies++) {
    const some = begun.filter((_, n) => copiesOf(n) === copies)
    expect(some.length).toBeGreaterThan(0)
    for (let at = 0; at < some.length; at += MAX_AT_ONCE) {
      const few = some.slice(at, at + MAX_AT_ONCE)
      await till.faults({ callbacks: { copies, order: 'shuffled', at_once: true } })
      await Promise.all(few.map(({ trackId }) => till.lever(`pay/${trackId}`)))
      // After `paid`, repeats and `expired` arrive concurrently.
      await till.faults({ callbacks: { copies: 1 } })
      const latecomers = ['expired', 'paid', 'underpaid', 'paid', 'waiting']
      await Promise.all(
        few.flatMap(({ trackId }) =>
          latecomers.map((status) => till.lever(`callback/${trackId}`, { status, wait: false })),
        ),
      )
    }
  }

  const sent = await till.callbacks()
  expect(sent.length).toBeGreaterThan(INVOICES * 10)
  expect(sent.filter(({ outcome }) => outcome !== 'delivered')).toEqual([])
  await expectEachCreditedOnce(till, begun)
  // The history has every report, including those without effect.
  const reported = await till.services.db
    .selectFrom('invoice_events')
    .select((eb) => eb.fn.countAll<bigint>().as('rows'))
    .where('source', '=', 'callback')
    .executeTakeFirstOrThrow()
  expect(Number(reported.rows)).toBe(sent.length)
})

it('credits each invoice once despite concurrent callbacks and reconcilers', {
  timeout: 60_000,
}, async () => {
  const till = await createTill()
  const begun = await beginMany(till, await newCustomers(till, 20), 100)
  await till.faults({ callbacks: { copies: 3, order: 'shuffled', at_once: true } })
  till.clock.advance(5 * 60_000)
  await Promise.all([
    ...begun.map(({ trackId }) => till.lever(`pay/${trackId}`)),
    till.reconcile(),
    till.reconcile(),
    till.reconcile(),
  ])
  await expectEachCreditedOnce(till, begun)
})
