import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const NANOSECONDS = 1e9

/** What the process itself uses, under the names that ready-made dashboards know. */
export function measureProcess(metrics: Metrics): { stop(): void } {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  metrics.counted(
    { name: 'process_cpu_seconds_total', help: 'Processor time used, of user and system.' },
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  )
  metrics.gauge(
    { name: 'process_start_time_seconds', help: 'When the process started, since 1970.' },
    () => performance.timeOrigin / 1000,
  )
  metrics.gauge({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' }, () =>
    process.memoryUsage.rss(),
  )
  metrics.gauge(
    { name: 'nodejs_heap_size_used_bytes', help: 'Memory of objects.' },
    () => process.memoryUsage().heapUsed,
  )
  metrics.gauge(
    {
      name: 'nodejs_eventloop_lag_seconds',
      help: 'How late the event loop is, since the last reading.',
      labels: ['quantile'],
    },
    () => {
      const samples = [
        { labels: ['0.5'], value: loop.percentile(50) / NANOSECONDS },
        { labels: ['0.99'], value: loop.percentile(99) / NANOSECONDS },
        { labels: ['1'], value: loop.max / NANOSECONDS },
      ]
      loop.reset()
      return samples
    },
  )
  return { stop: () => loop.disable() }
}
