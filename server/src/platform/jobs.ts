import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { type ConstructorOptions, getConstructionPlans, PgBoss, type SendOptions } from 'pg-boss'
import type { Database } from './database.ts'
import { primaryClient } from './primary.ts'

/** A background job, stored in the database. Each job has a name and a payload type. */
type Job<Payload extends object> = { readonly name: string; readonly _payload?: Payload }

export const defineJob = <Payload extends object>(name: string): Job<Payload> => ({ name })

export type Jobs = {
  /** `at` delays the job. */
  send<P extends object>(job: Job<P>, payload: P, at?: Date): Promise<void>
  /** Part of the caller's transaction: the job exists if the transaction is committed. */
  sendWithin<P extends object>(tx: Database, job: Job<P>, payload: P): Promise<void>
  work<P extends object>(job: Job<P>, handle: (payload: P) => Promise<void>): Promise<void>
  /** Idempotent, so every process can register the same schedule. */
  schedule<P extends object>(job: Job<P>, cron: string, payload: P): Promise<void>
  /** Due jobs that have not started, by name, with the age of the oldest. */
  waiting(): Promise<JobsWaiting[]>
  close(): Promise<void>
}

type JobsWaiting = { job: string; count: number; lagSeconds: number }

/** Reads the table of pg-boss and uses its fetch index. pg-boss uses the clock of the database. */
const WAITING = `
  select queue.name as job, count(due.name)::integer as count,
         coalesce(extract(epoch from now() - min(due.start_after)), 0)::float8 as "lagSeconds"
    from pgboss.queue
    left join pgboss.job due
      on due.name = queue.name and due.state < 'active' and not due.blocked and due.start_after <= now()
   where queue.name not like '\\_\\_%'
   group by queue.name order by queue.name`

/** Jobs that are still running after this time are restarted by the next worker. */
const STOP_TIMEOUT_MS = 5_000

/** A job that runs longer is started again beside itself. pg-boss allows less than a day. */
const EXPIRE_SECONDS = 23 * 60 * 60
/** A worker that was killed sends no heartbeats, and its jobs are started again after this time. */
const HEARTBEAT_SECONDS = 5 * 60
const QUEUE = {
  retryLimit: 10,
  retryBackoff: true,
  retryDelay: 2,
  expireInSeconds: EXPIRE_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
}

/** The SQL that creates the job tables, without the transaction that pg-boss wraps around it. */
export function jobTables(): string {
  const sql = /^\s*BEGIN;(.*)COMMIT;\s*$/s.exec(getConstructionPlans('pgboss'))
  if (!sql?.[1]) throw new Error('pg-boss has changed the SQL that creates its tables')
  return sql[1]
}

/** The transaction, as pg-boss wants it. */
const joined = (tx: Database): NonNullable<SendOptions['db']> => ({
  async executeSql(text: string, values: unknown[] = []) {
    const { rows } = await tx.executeQuery(CompiledQuery.raw(text, [...values]))
    return { rows: rows as object[] }
  },
})

/** Only workers schedule jobs and maintain the queue. Other processes only send jobs. */
export async function openJobs(
  url: string,
  onError: (error: Error) => void,
  { isWorker = true } = {},
): Promise<Jobs> {
  const options: ConstructorOptions & pg.PoolConfig = {
    connectionString: url,
    application_name: 'trunkline jobs',
    max: 3,
    // pg-boss passes its options to the pool.
    Client: primaryClient(url),
    supervise: isWorker,
    schedule: isWorker,
  }
  const boss = new PgBoss(options)
  boss.on('error', onError)
  await boss.start()
  const known = new Set<string>()
  const working = new Set<string>()
  const ensureQueue = async (name: string) => {
    if (known.has(name)) return
    await boss.createQueue(name, QUEUE)
    // A queue of an earlier release keeps its options.
    if (isWorker) await boss.updateQueue(name, QUEUE)
    known.add(name)
  }
  return {
    async send(job, payload, at) {
      await ensureQueue(job.name)
      await boss.send(job.name, payload, at ? { startAfter: at } : {})
    },
    async sendWithin(tx, job, payload) {
      await ensureQueue(job.name)
      await boss.send(job.name, payload, { db: joined(tx) })
    },
    async work(job, handle) {
      await ensureQueue(job.name)
      working.add(job.name)
      await boss.work<object>(job.name, { pollingIntervalSeconds: 0.5 }, async (batch) => {
        for (const { data } of batch) await handle(data as never)
      })
    },
    async schedule(job, cron, payload) {
      await ensureQueue(job.name)
      await boss.schedule(job.name, cron, payload)
    },
    async waiting() {
      const { rows } = await boss.getDb().executeSql(WAITING)
      return rows
    },
    async close() {
      // pg-boss itself checks only every half second whether its workers have stopped.
      const ended = Promise.all([...working].map((name) => boss.offWork(name, { wait: true })))
      const isEnough = new AbortController()
      await Promise.race([
        ended,
        pause(STOP_TIMEOUT_MS, undefined, { signal: isEnough.signal }).catch(() => {}),
      ])
      isEnough.abort()
      await boss.stop({ graceful: true, close: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}
