import type { AnalysisFigures } from '@trunkline/contract/analysis'
import { system } from '@trunkline/domain/access'
import { formatCost, micros } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import type { CallFigures } from '../../calls/figures/service.ts'
import { insertMails } from '../../identity/alerts/mail-store.ts'
import { viewOf } from './service.ts'
import { listRows, periodsOf, type Row, type Span, sumOf } from './store.ts'
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
      const body = await write(tx, due)
      const subject = `${siteName}: week from ${due.from} to ${due.to}`
      await insertMails(
        tx,
        due.recipients.map((recipient) => ({ recipient, subject, body })),
        clock.now(),
      )
    })

    async function write(
      tx: Database,
      week: { from: string; to: string; timezone: string },
    ): Promise<string> {
      const scope = system('weekly report')
      const { now, before } = await periodsOf(tx, { ...week, now: clock.now() })
      const sumIn = async (span: Span) => viewOf(await sumOf(tx, scope, span, { by: 'all', keys: [''] }))
      const [totals, earlier] = [await sumIn(now), await sumIn(before)]
      const parts: string[] = []
      for (const [by, title] of lists) {
        const { rows } = await listRows(tx, scope, now, { by, limit: LISTED, sort: 'margin', order: 'desc' })
        if (rows.length > 0) parts.push([`${title} by margin`, ...rows.map(lineOf)].join('\n'))
      }
      return `${totalsOf(totals, earlier)}

${parts.join('\n\n')}

All figures, in ${week.timezone.replaceAll('_', ' ')}:
${publicUrl}/admin-panal/analysis?period=custom&from=${week.from}&to=${week.to}

You receive this email because your address is in the alert settings.
`
    }
  },
})

const dollars = (amount: number): string => formatCost(micros(BigInt(Math.round(amount * 1e6))))

function totalsOf(now: AnalysisFigures, before: AnalysisFigures): string {
  const rate = (value: number | null) => (value === null ? 'none' : `${value}%`)
  const lines: [name: string, write: (figures: AnalysisFigures) => string][] = [
    ['Calls', ({ calls }) => String(calls)],
    ['Minutes', ({ minutes }) => String(Math.round(minutes))],
    ['Answer rate', ({ answer_rate }) => rate(answer_rate)],
    ['Revenue', ({ revenue }) => dollars(revenue)],
    ['Carrier cost', ({ cost }) => dollars(cost)],
    ['Margin', ({ margin }) => dollars(margin)],
  ]
  return lines.map(([name, write]) => `${name}: ${write(now)} (week before: ${write(before)})`).join('\n')
}

const lineOf = (row: Row): string => {
  const { calls, revenue, margin, answer_rate } = viewOf(row)
  return `- ${row.name ?? (row.key || 'none')}: ${dollars(margin)} of ${dollars(revenue)}, ${calls} calls, ${answer_rate}% answered`
}
