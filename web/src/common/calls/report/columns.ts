import type { CdrRecord } from '@trunkline/contract/cdr'
import { accountLabel } from '@trunkline/contract/phone-names'
import { formatDuration } from '../../format/durations.ts'
import { formatCost } from '../../format/money.ts'
import { directions } from '../directions.ts'
import { lookOf } from '../statuses.ts'

/** The six columns of the table, and the first six of the PDF. */
export const columns = ['Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status'] as const

/** The direction is after the columns of the specification, and fits on a page in portrait format. */
export const pdfColumns = [...columns, 'Direction'] as const

export const cellsOf = (record: CdrRecord): string[] => [
  `${record.date} ${record.time}`,
  accountLabel(record.caller),
  record.destination,
  formatDuration(record.duration),
  formatCost(record.cost),
  lookOf(record.status).label,
  directions[record.direction].name,
]
