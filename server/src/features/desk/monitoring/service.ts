import { system } from '@trunkline/domain/access'
import { type Clock, DAY, earlier, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { Metrics, Sample } from '../../../platform/metrics.ts'
import type { Timers } from '../../../platform/timers.ts'
import { readLive, readOpenPayments, readPaymentsSince, readRecordingHolds } from './store.ts'

type Deps = { db: Database; jobs: Pick<Jobs, 'waiting'>; clock: Clock; timers: Timers; metrics: Metrics }

/** Cache time, which limits the queries. */
const FRESH_FOR_MS = 5 * SECOND
/** Timeout for the queries. */
const ANSWER_WITHIN_MS = 2 * SECOND

const callStates = ['authorized', 'ringing', 'answered']
const openPayments = ['pending', 'paying', 'underpaid', 'in_review', 'refunding']

/** Metrics from the database: live calls, holds, payments and jobs. Every worker exports the same values. */
export function measureSystem({ db, jobs, clock, timers, metrics }: Deps): void {
  const owner = system('monitoring')

  async function readAll() {
    const [live, recordings, open, lastDay, waiting] = await Promise.all([
      readLive(db, owner),
      readRecordingHolds(db, owner),
      readOpenPayments(db, owner),
      readPaymentsSince(db, owner, earlier(clock.now(), DAY)),
      jobs.waiting(),
    ])
    return { live, recordings, open, lastDay, waiting }
  }
  type Snapshot = Awaited<ReturnType<typeof readAll>>

  let last: { snapshot: Snapshot | null; at: number } | null = null
  let reading: Promise<Snapshot | null> | null = null

  function read(): Promise<Snapshot | null> {
    const now = clock.now().getTime()
    if (last && now - last.at < FRESH_FOR_MS) return Promise.resolve(last.snapshot)
    reading ??= readAll()
      .catch(() => null)
      .then((snapshot) => {
        last = { snapshot, at: now }
        reading = null
        return snapshot
      })
    const pending = reading
    return new Promise((resolve) => {
      const stop = timers.after(ANSWER_WITHIN_MS, () => resolve(null))
      pending.then((snapshot) => {
        stop()
        resolve(snapshot)
      })
    })
  }

  /** Includes states with a count of zero. */
  const among = <Row extends { state: string }>(
    states: readonly string[],
    rows: readonly Row[],
    of: (row: Row) => number,
  ): Sample[] => {
    const found = new Map(rows.map((row) => [row.state, of(row)]))
    return states.map((state) => ({ labels: [state], value: found.get(state) ?? 0 }))
  }
  const sum = (values: readonly number[]): number => values.reduce((so, value) => so + value, 0)
  const gauge = (
    name: string,
    help: string,
    labels: readonly string[],
    of: (snapshot: Snapshot) => number | Sample[],
  ) =>
    metrics.asked({ name, help, labels }, async () => {
      const snapshot = await read()
      return snapshot && of(snapshot)
    })

  gauge('trunkline_live_calls', 'Live calls, by state.', ['state'], ({ live }) =>
    among(callStates, live, ({ calls }) => calls),
  )
  gauge('trunkline_holds', 'Open holds of calls and recordings.', [], ({ live, recordings }) =>
    sum([...live.map(({ holds }) => holds), recordings.holds]),
  )
  gauge('trunkline_held_dollars', 'Money held for calls and recordings.', [], ({ live, recordings }) =>
    sum([...live.map(({ heldDollars }) => heldDollars), recordings.dollars]),
  )
  gauge('trunkline_payments_open', 'Open payments of any age, by state.', ['state'], ({ open }) =>
    among(openPayments, open, ({ payments }) => payments),
  )
  gauge(
    'trunkline_payments_last_day',
    'Payments started in the last 24 hours, by state.',
    ['state'],
    ({ lastDay }) => lastDay.map(({ state, payments }) => ({ labels: [state], value: payments })),
  )
  gauge('trunkline_jobs_waiting', 'Due jobs that have not started.', ['job'], ({ waiting }) =>
    waiting.map(({ job, count }) => ({ labels: [job], value: count })),
  )
  gauge('trunkline_job_lag_seconds', 'Age of the oldest due job.', ['job'], ({ waiting }) =>
    waiting.map(({ job, lagSeconds }) => ({ labels: [job], value: lagSeconds })),
  )
}
