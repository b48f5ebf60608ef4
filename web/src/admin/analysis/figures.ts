import type { AnalysisFigures } from '@trunkline/contract/analysis'
import { formatDuration, formatMeasuredSeconds } from '../../common/format/durations.ts'
import { formatCost } from '../../common/format/money.ts'
import { formatNumber, formatPercent } from '../../common/format/numbers.ts'

export type FigureName = keyof AnalysisFigures

type FigureLook = {
  label: string
  /** For the tooltip of the label. */
  meaning: string
  write: (figure: number | null) => string
  /** Shorter, for an axis. */
  unit: 'count' | 'dollars' | 'percent' | 'seconds'
  isLowerBetter?: true
}

const optional = (write: (figure: number) => string) => (figure: number | null) =>
  figure === null ? '–' : write(figure)

const money = { write: optional(formatCost), unit: 'dollars' } as const
const rate = { write: (share: number | null) => formatPercent(share), unit: 'percent' } as const
const whole = { write: optional((figure) => formatNumber(Math.round(figure))), unit: 'count' } as const

/** The figures in the order of the columns. */
export const figureLooks: Readonly<Record<FigureName, FigureLook>> = {
  calls: { label: 'Calls', meaning: 'All calls. By carrier, all attempts', ...whole },
  answered: { label: 'Answered', meaning: 'Answered calls', ...whole },
  minutes: { label: 'Minutes', meaning: 'Talk time', ...whole },
  answer_rate: { label: 'ASR', meaning: 'Share of answered calls', ...rate },
  reach_rate: {
    label: 'NER',
    meaning: 'Share of calls that reached the callee, including busy, unanswered and canceled ones',
    ...rate,
  },
  average_duration: {
    label: 'ACD',
    meaning: 'Average duration of answered calls',
    write: optional(formatDuration),
    unit: 'seconds',
  },
  post_dial_delay: {
    label: 'PDD',
    meaning: 'Average time until the phone rang',
    write: formatMeasuredSeconds,
    unit: 'seconds',
    isLowerBetter: true,
  },
  revenue: { label: 'Revenue', meaning: 'Price of the calls for customers', ...money },
  cost: { label: 'Cost', meaning: 'Carrier cost', ...money, isLowerBetter: true },
  margin: { label: 'Margin', meaning: 'Revenue minus carrier cost', ...money },
}

export const figureNames = Object.keys(figureLooks) as FigureName[]
