import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('writes metrics in the Prometheus text format', async () => {
  const metrics = createMetrics()
  const calls = metrics.counter({ name: 'calls_total', help: 'Calls.' })
  const refused = metrics.counter({ name: 'refused_total', help: 'No.', labels: ['why', 'where'] })
  const times = metrics.histogram({ name: 'seconds', help: 'Time.', labels: ['answer'], bounds: [0.1, 1] })
  metrics.asked({ name: 'held', help: 'Money.' }, async () => 2.5)
  metrics.asked({ name: 'unknown', help: 'Unknown.' }, async () => null)
  metrics.gauge({ name: 'pool', help: 'Connections.', labels: ['state'] }, () => [
    { labels: ['busy'], value: 1 },
    { labels: ['a "quote" \\ and\na line'], value: 0 },
  ])
  calls.add(1)
  calls.add(2)
  refused.add(1, 'no_balance', 'here')
  for (const seconds of [0.1, 0.05, 0.5, 7]) times.observe(seconds, 'allow')
  expect((await metrics.text()).split('\n').filter((line) => !line.startsWith('# HELP'))).toEqual([
    '# TYPE calls_total counter',
    'calls_total 3',
    '# TYPE refused_total counter',
    'refused_total{why="no_balance",where="here"} 1',
    '# TYPE seconds histogram',
    'seconds_bucket{answer="allow",le="0.1"} 2',
    'seconds_bucket{answer="allow",le="1"} 3',
    'seconds_bucket{answer="allow",le="+Inf"} 4',
    'seconds_sum{answer="allow"} 7.65',
    'seconds_count{answer="allow"} 4',
    '# TYPE pool gauge',
    'pool{state="busy"} 1',
    'pool{state="a \\"quote\\" \\\\ and\\na line"} 0',
    '# TYPE held gauge',
    'held 2.5',
    '# TYPE unknown gauge',
    '',
  ])
  expect(() => metrics.counter({ name: 'held', help: 'Again.' })).toThrow('metric held is defined twice')
})
