import type pg from 'pg'
import { createClient } from './primary.ts'

/** The URL points to a pooler in transaction mode. */
export class TransactionPooling extends Error {
  constructor() {
    super(
      'DATABASE_URL leads through a pooler in transaction mode. Only the worker can use one: the API and call control need LISTEN and prepared statements, which get lost there. Set pool_mode = session for this database, or name PostgreSQL itself.',
    )
  }
}

/** Tests with two sessions. PgBouncer assigns the most recently used connection, so both sessions get the same one. */
export async function isTransactionPooled(url: string): Promise<boolean> {
  const [one, other] = [clientOf(url), clientOf(url)]
  try {
    await one.connect()
    await other.connect()
    const before = await backendOf(one)
    await other.query('begin')
    // Two open sessions share a backend process only behind such a pooler.
    return (await backendOf(other)) === before
  } finally {
    await Promise.allSettled([one.end(), other.end()])
  }
}

function clientOf(url: string): pg.Client {
  const client = createClient(url, { connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  client.on('error', () => {})
  return client
}

const backendOf = async (client: pg.Client): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid
