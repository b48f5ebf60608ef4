import { expect, it } from 'vitest'
import { mergeMetrics } from './merge-metrics.ts'

it('merges families and keeps series distinct', () => {
  const first = '# HELP a One\n# TYPE a counter\na{x="1"} 1\n# HELP b Two\n# TYPE b gauge\nb 2\n'
  const second =
    '# HELP b Two\n# TYPE b gauge\nb 3\n# HELP a One\n# TYPE a counter\na{x="1"} 4\n# HELP c Three\n# TYPE c gauge\nc{y="{}"} 5\n'
  expect(mergeMetrics(first, second, 'callcontrol').split('\n')).toEqual([
    ...['# HELP a One', '# TYPE a counter', 'a{x="1"} 1', 'a{part="callcontrol",x="1"} 4'],
    ...['# HELP b Two', '# TYPE b gauge', 'b 2', 'b{part="callcontrol"} 3'],
    ...['# HELP c Three', '# TYPE c gauge', 'c{y="{}"} 5', ''],
  ])
})
