import type { CdrRecord } from '@trunkline/contract/cdr'
import { accountLabel } from '@trunkline/contract/phone-names'
import { formatDuration } from '../../format/durations.ts'
import { formatCost } from '../../format/money.ts'
import { lookOf } from '../statuses.ts'

/** The six columns of the table and of the PDF. */
export const columns = ['Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status'] as const

export const cellsOf = (record: CdrRecord): string[] => [
  `${record.date} ${record.time}`,
  accountLabel(record.caller),
  record.destination,
  formatDuration(record.duration),
  formatCost(record.cost),
  lookOf(record.status).label,
]
