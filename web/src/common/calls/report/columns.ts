import type { CdrRecord } from '@trunkline/contract/cdr'
import { asClock } from '../../durations.ts'
import { costInDollars } from '../../prices.ts'
import { lookOf } from '../statuses.ts'

/** The six columns of the table and of the PDF. */
export const columns = ['Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status'] as const

export const cellsOf = (record: CdrRecord): string[] => [
  `${record.date} ${record.time}`,
  record.caller,
  record.destination,
  asClock(record.duration),
  costInDollars(record.cost),
  lookOf(record.status).label,
]
