import type { CdrRecord } from '@trunkline/contract/cdr'
import { lookOf } from '../../common/calls/statuses.ts'
import { asClock } from '../../common/durations.ts'
import { costInDollars } from '../../common/prices.ts'

/** The six columns, the same on the screen and on paper. */
export const columns = ['Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status'] as const

export const cellsOf = (record: CdrRecord): string[] => [
  `${record.date} ${record.time}`,
  record.caller,
  record.destination,
  asClock(record.duration),
  costInDollars(record.cost),
  lookOf(record.status).label,
]
