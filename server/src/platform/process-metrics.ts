import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const SAMPLE_EVERY_MS = 10

/** Node measures the time between two samples, so the sampling interval is subtracted. */
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - SAMPLE_EVERY_MS / 1000)

/** Process metrics with the standard names of Prometheus client libraries. */
export function measureProcess(metrics: Metrics): { stop(): void } {
  const loop = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS })
  loop.enable()
  metrics.counted({ name: 'process_cpu_seconds_total', help: 'CPU time, user and system.' }, () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  metrics.gauge(
    { name: 'process_start_time_seconds', help: 'Start time of the process in seconds since 1970.' },
    () => performance.timeOrigin / 1000,
  )
  metrics.gauge({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' }, () =>
    process.memoryUsage.rss(),
  )
  metrics.gauge(
    { name: 'nodejs_heap_size_used_bytes', help: 'Used heap memory.' },
    () => process.memoryUsage().heapUsed,
  )
  const lateness = { p50: () => loop.percentile(50), p99: () => loop.percentile(99), max: takeMax }
  for (const [name, read] of Object.entries(lateness))
    metrics.gauge(
      {
        name: `nodejs_eventloop_lag_${name}_seconds`,
        help: 'Event loop delay since the last reading.',
      },
      () => late(read()),
    )

  /** Must be read last, because it resets the histogram. */
  function takeMax(): number {
    const { max } = loop
    loop.reset()
    return max
  }
  return { stop: () => loop.disable() }
}
