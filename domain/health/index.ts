import { dollars, type Micros } from '../money/index.ts'

/** Figures of a customer: the last 7 full days (UTC) and the 7 days before. */
export type HealthFigures = {
  readonly spendMicros: Micros
  readonly spendBeforeMicros: Micros
  readonly calls: number
  /** Calls that reached nobody: neither answered nor busy, unanswered or canceled. */
  readonly failed: number
  readonly callsBefore: number
  readonly failedBefore: number
  readonly openTickets: number
  /** Age of the oldest open ticket. */
  readonly ticketMinutes: number | null
  /** Balance without holds. */
  readonly availableMicros: Micros
}

export const healthReasonKinds = ['spend_fell', 'calls_failing', 'ticket_open', 'balance_low'] as const
export type HealthReasonKind = (typeof healthReasonKinds)[number]
export type HealthReason = { kind: HealthReasonKind; text: string }

export const HEALTH_DAYS = 7
const MINUTES_PER_DAY = 24 * 60

/** When a figure is worth a reason. The filter of the list has the same rules in SQL. */
export const healthRules = {
  /** Smaller spend falls and rises by chance. */
  leastSpendMicros: dollars(1),
  spendFellPercent: 50,
  leastCalls: 20,
  failedPercent: 25,
  ticketMinutes: 2 * MINUTES_PER_DAY,
  balanceDays: 3,
} as const

/** Change of spend in percent; null without spend in the days before. */
export const spendChangePercent = ({ spendMicros, spendBeforeMicros }: HealthFigures): number | null =>
  spendBeforeMicros > 0n
    ? Math.round((Number(spendMicros - spendBeforeMicros) / Number(spendBeforeMicros)) * 100)
    : null

export const failedPercent = (calls: number, failed: number): number | null =>
  calls > 0 ? Math.round((failed / calls) * 100) : null

/** Days that the balance lasts at the spend of the last days; null without spend. */
export const balanceDays = ({ availableMicros, spendMicros }: HealthFigures): number | null =>
  spendMicros > 0n ? Math.floor((Number(availableMicros) * HEALTH_DAYS) / Number(spendMicros)) : null

/** Plain reasons to look at a customer, in a fixed order. */
export function healthReasons(figures: HealthFigures): HealthReason[] {
  const reasons: Record<HealthReasonKind, string | null> = {
    spend_fell: spendFell(figures),
    calls_failing: callsFailing(figures),
    ticket_open: ticketOpen(figures),
    balance_low: balanceLow(figures),
  }
  return healthReasonKinds.flatMap((kind) => {
    const text = reasons[kind]
    return text === null ? [] : [{ kind, text }]
  })
}

function spendFell(figures: HealthFigures): string | null {
  const { spendMicros, spendBeforeMicros } = figures
  if (spendBeforeMicros < healthRules.leastSpendMicros) return null
  if (spendMicros * 100n > spendBeforeMicros * BigInt(100 - healthRules.spendFellPercent)) return null
  return spendMicros === 0n
    ? `No spend in ${HEALTH_DAYS} days`
    : `Spend fell by ${-(spendChangePercent(figures) ?? 0)}% in ${HEALTH_DAYS} days`
}

function callsFailing({ calls, failed, callsBefore, failedBefore }: HealthFigures): string | null {
  if (calls < healthRules.leastCalls || failed * 100 < calls * healthRules.failedPercent) return null
  const before = failedPercent(callsBefore, failedBefore)
  return `${failedPercent(calls, failed)}% of calls failed${before === null ? '' : `, ${before}% before`}`
}

function ticketOpen({ openTickets, ticketMinutes }: HealthFigures): string | null {
  if (ticketMinutes === null || ticketMinutes < healthRules.ticketMinutes) return null
  const days = `${Math.floor(ticketMinutes / MINUTES_PER_DAY)} days`
  return openTickets === 1 ? `Ticket open for ${days}` : `${openTickets} tickets open, one for ${days}`
}

function balanceLow(figures: HealthFigures): string | null {
  const { availableMicros, spendMicros } = figures
  const lasts = availableMicros * BigInt(HEALTH_DAYS)
  if (spendMicros === 0n || lasts >= spendMicros * BigInt(healthRules.balanceDays)) return null
  const days = balanceDays(figures) ?? 0
  return days < 1 ? 'Balance lasts less than a day' : `Balance lasts ${days} ${days === 1 ? 'day' : 'days'}`
}
