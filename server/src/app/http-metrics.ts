import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../platform/metrics.ts'

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts requests by route, because URLs contain ids and are unbounded. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  const requests = metrics.counter({
    name: 'trunkline_http_requests_total',
    help: 'Answered requests.',
    labels: ['method', 'route', 'status'],
  })
  const durations = metrics.histogram({
    name: 'trunkline_http_request_seconds',
    help: 'Time from a request to the end of its answer, without event streams.',
    labels: ['method', 'route'],
    bounds: BOUNDS,
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request)
    requests.add(1, request.method, route, String(reply.statusCode))
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream'))
      durations.observe(reply.elapsedTime / 1000, request.method, route)
  })
}

/** Files and screens share one label. */
function routeOf({ routeOptions, url }: FastifyRequest): string {
  if (!url.startsWith('/api/')) return 'web'
  return routeOptions.url ?? 'unknown'
}
