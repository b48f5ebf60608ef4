import { system } from '@trunkline/domain/access'
import { formatCost, micros } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { percent } from '../../../platform/figures.ts'
import { defineJob } from '../../../platform/jobs.ts'
import type { Span } from '../../calls/figures/pieces.ts'
import type { CallFigures } from '../../calls/figures/service.ts'
import { insertMails } from '../../identity/alerts/mail-store.ts'
import { type Figures, listRows, periodsOf, type Row, sumOf } from './store.ts'
import { takeDueReport } from './weekly-store.ts'

export const sendWeeklyReport = defineJob<Record<string, never>>('send-weekly-report')

type Deps = { db: Database; clock: Clock; figures: CallFigures; publicUrl: string; siteName: string }

const LISTED = 5
const lists = [
  ['customer', 'Customers'],
  ['country', 'Countries'],
  ['carrier', 'Carriers'],
] as const

/** Mails the figures of the past week to the recipients of alerts, once, on Monday morning. The alert mailing sends the mails. */
export const createWeeklyReport = ({ db, clock, figures, publicUrl, siteName }: Deps) => ({
  async run(): Promise<void> {
    await figures.addQueued()
    await db.transaction().execute(async (tx) => {
      const due = await takeDueReport(tx, clock.now())
      if (!due) return
      const subject = `${siteName}: week from ${due.from} to ${due.to}`
      const body = await bodyOf(tx, { ...due, publicUrl, now: clock.now() })
      const mails = due.recipients.map((recipient) => ({ recipient, subject, body }))
      await insertMails(tx, mails, clock.now())
    })
  },
})

type Week = { from: string; to: string; timezone: string; publicUrl: string; now: Date }

async function bodyOf(tx: Database, { publicUrl, ...week }: Week): Promise<string> {
  const scope = system('weekly report')
  const { asked, before } = await periodsOf(tx, week)
  const { now } = week
  const sumIn = (span: Span) => sumOf(tx, scope, span, { by: 'all', keys: [''], now })
  const [totals, earlier] = [await sumIn(asked), await sumIn(before)]
  const parts: string[] = []
  for (const [by, title] of lists) {
    const sorting = { sort: 'margin', order: 'desc' } as const
    const { rows } = await listRows(tx, scope, asked, { by, now, limit: LISTED, ...sorting })
    if (rows.length > 0) parts.push([`${title} by margin`, ...rows.map(lineOf)].join('\n'))
  }
  return `${totalsOf(totals, earlier)}

${parts.join('\n\n')}

All figures, in ${week.timezone.replaceAll('_', ' ')}:
${publicUrl}/admin-panal/analysis?period=custom&from=${week.from}&to=${week.to}

You receive this email because your address is in the alert settings.
`
}

const dollars = (amount: bigint): string => formatCost(micros(amount))
const marginOf = ({ costMicros, buyMicros }: Figures): string => dollars(costMicros - buyMicros)
const answerRateOf = ({ answered, calls }: Figures): string => {
  const rate = percent(answered, calls)
  return rate === null ? 'none' : `${rate}%`
}

const lines: readonly [name: string, write: (figures: Figures) => string][] = [
  ['Calls', ({ calls }) => String(calls)],
  ['Minutes', ({ seconds }) => String(Math.round(seconds / 60))],
  ['Answer rate', answerRateOf],
  ['Revenue', ({ costMicros }) => dollars(costMicros)],
  ['Carrier cost', ({ buyMicros }) => dollars(buyMicros)],
  ['Margin', marginOf],
]

const totalsOf = (now: Figures, before: Figures): string =>
  lines.map(([name, write]) => `${name}: ${write(now)} (week before: ${write(before)})`).join('\n')

const lineOf = (row: Row): string =>
  `- ${row.name ?? (row.key || 'none')}: ${marginOf(row)} of ${dollars(row.costMicros)}, ${row.calls} calls, ${answerRateOf(row)} answered`
