import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { type Database, databaseAnswers, poolOf } from '../platform/database.ts'
import { mergeMetrics } from '../platform/merge-metrics.ts'
import type { Metrics, Sample } from '../platform/metrics.ts'
import { measureProcess } from '../platform/process-metrics.ts'

export type HealthServer = {
  /** Adds a readiness check, which runs on each request to `/ready`. */
  require(name: string, isSo: () => boolean | Promise<boolean>): void
  /** Includes another process, such as call control. `portOf` returns the port of its health server, or null while it has none. */
  include(part: string, portOf: () => number | null): void
  /** Only a running process is ready. */
  become(state: 'running' | 'stopping'): void
  close(): Promise<void>
}

/** Timeout for requests to the health server of another process. */
const ANSWER_WITHIN_MS = 2_000

type Options = { host: string; port: number; metrics: Metrics; logger: Logger }

/**
 * Health server on a separate, private port: `/metrics`, `/health` (the process runs) and `/ready` (it can serve, or the failed
 * checks).
 */
export async function startHealthServer({ host, port, metrics, logger }: Options): Promise<HealthServer> {
  const required = new Map<string, () => boolean | Promise<boolean>>()
  let state: 'starting' | 'running' | 'stopping' = 'starting'
  const beside = new Map<string, () => number | null>()
  const measuring = measureProcess(metrics)

  async function readiness() {
    const checks = await Promise.all([...required].map(async ([name, isSo]) => [name, await isSo()] as const))
    const ready = state === 'running' && checks.every(([, isSo]) => isSo)
    const own = { ready, state, ...Object.fromEntries(checks) }
    const parts = await Promise.all(
      [...beside].map(async ([part, portOf]) => {
        const text = (await request(portOf(), '/ready')) ?? '{"ready":false}'
        const { state: _state, ready: isReady, ...found } = JSON.parse(text)
        return { part, isReady: Boolean(isReady), found }
      }),
    )
    return {
      ...Object.assign({}, ...parts.map(({ found }) => found)),
      ...own,
      ready: ready && parts.every(({ isReady }) => isReady),
      ...Object.fromEntries(parts.map(({ part, isReady }) => [part, isReady])),
    }
  }

  /** Null without an answer. */
  async function request(partPort: number | null, path: string): Promise<string | null> {
    if (partPort === null) return null
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = fetch(`http://127.0.0.1:${partPort}${path}`, { signal })
    return response.then((answer) => answer.text()).catch(() => null)
  }

  async function allMetrics(): Promise<string> {
    let text = await metrics.text()
    for (const [part, portOf] of beside) {
      const added = await request(portOf(), '/metrics')
      if (added !== null) text = mergeMetrics(text, added, part)
    }
    return text
  }

  async function answer(path: string, response: ServerResponse): Promise<void> {
    if (path === '/metrics') {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(await allMetrics())
    } else if (path === '/health') {
      response.setHeader('content-type', 'application/json').end('true\n')
    } else if (path === '/ready') {
      const found = await readiness()
      response
        .writeHead(found.ready ? 200 : 503, { 'content-type': 'application/json' })
        .end(`${JSON.stringify(found)}\n`)
    } else response.writeHead(404).end()
  }

  const server = createServer((request, response) => {
    if (request.method !== 'GET') {
      response.writeHead(405).end()
      return
    }
    answer((request.url ?? '').split('?')[0] ?? '', response).catch((error) => {
      logger.error({ err: error }, 'health request failed')
      response.writeHead(500).end()
    })
  })
  await listening(server, port, host)

  return {
    require: (name, isSo) => void required.set(name, isSo),
    include: (part, portOf) => void beside.set(part, portOf),
    become(next) {
      state = next
    },
    async close() {
      measuring.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const listening = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })

/** Metrics of the database connections, by pool. */
export function measureDatabase(metrics: Metrics, pools: Readonly<Record<string, Database>>): void {
  const perPool = (read: (pool: ReturnType<typeof poolOf>) => Sample[]) => (): Sample[] =>
    Object.entries(pools).flatMap(([name, db]) =>
      read(poolOf(db)).map(({ labels = [], value }) => ({ labels: [name, ...labels], value })),
    )
  metrics.asked(
    { name: 'trunkline_database_up', help: '1 while the database answers.', labels: ['pool'] },
    () =>
      Promise.all(
        Object.entries(pools).map(async ([name, db]) => ({
          labels: [name],
          value: Number(await databaseAnswers(db)),
        })),
      ),
  )
  metrics.gauge(
    { name: 'trunkline_database_connections', help: 'Open connections.', labels: ['pool', 'state'] },
    perPool(({ busy, idle }) => [
      { labels: ['busy'], value: busy },
      { labels: ['idle'], value: idle },
    ]),
  )
  metrics.gauge(
    { name: 'trunkline_database_pool_size', help: 'Maximum number of connections.', labels: ['pool'] },
    perPool(({ size }) => [{ value: size }]),
  )
  metrics.gauge(
    {
      name: 'trunkline_database_pool_waiting',
      help: 'Requests that wait for a connection.',
      labels: ['pool'],
    },
    perPool(({ waiting }) => [{ value: waiting }]),
  )
}
