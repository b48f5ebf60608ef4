import type { RequestOf } from '@trunkline/contract'
import { type AgeBand, ageBands } from '@trunkline/contract/ages'
import { SEARCH_MAX } from '@trunkline/contract/limits'
import {
  DISPLAY_STATUSES,
  type DisplayStatus,
  PAYMENT_STATES,
  type PaymentState,
  paymentStates,
} from '@trunkline/contract/payment-states'
import { dollarsIn, idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'
import { formatCalendarDate } from '../../common/format/dates.ts'
import { formatExactMoney } from '../../common/format/money.ts'
import { readDay, spanOfDays } from '../../common/period.ts'

export const kinds = { topup: 'Top-up', upgrade: 'Purchase' } as const
export type PaymentKind = keyof typeof kinds

/** Search parameters of the screen. */
export type PaymentsSearch = Partial<{
  /** The review list or the cash view instead of the payments. */
  view: 'reviews' | 'cash'
  decided: 'credited' | 'ignored'
  /** Open review items that have waited this long. */
  age: AgeBand
  text: string
  status: DisplayStatus
  state: PaymentState
  kind: PaymentKind
  user: number
  from: string
  to: string
  /** Dollars. */
  min: number
  max: number
  refundable: 1
  /** The page after this payment; on the review list, after this item. */
  before: number
  /** The payment in the drawer. */
  payment: number
  /** The payment in the refund dialog. */
  refund: number
}>

/** The filters, without page and open dialogs. */
export type Selection = Omit<PaymentsSearch, 'view' | 'decided' | 'age' | 'before' | 'payment' | 'refund'>

type Raw = Record<string, unknown>

/** Ignores values that are not valid. */
export const readSearch = (raw: Raw): PaymentsSearch =>
  withoutGaps({
    view: oneOf(['reviews', 'cash'], raw.view),
    decided: oneOf(['credited', 'ignored'], raw.decided),
    age: oneOf(ageBands, raw.age),
    text: textIn(raw.text)?.trim().slice(0, SEARCH_MAX) || undefined,
    status: oneOf(DISPLAY_STATUSES, raw.status),
    state: oneOf(PAYMENT_STATES, raw.state),
    kind: oneOf(['topup', 'upgrade'], raw.kind),
    user: idIn(raw.user),
    from: readDay(textIn(raw.from) ?? '') ?? undefined,
    to: readDay(textIn(raw.to) ?? '') ?? undefined,
    min: dollarsIn(raw.min),
    max: dollarsIn(raw.max),
    refundable: textIn(raw.refundable) === '1' ? (1 as const) : undefined,
    before: idIn(raw.before),
    payment: idIn(raw.payment),
    refund: idIn(raw.refund),
  })

export function selectionOf(search: PaymentsSearch): Selection {
  const {
    view: _view,
    decided: _decided,
    age: _age,
    before: _before,
    payment: _p,
    refund: _r,
    ...selection
  } = search
  return selection
}

export function filtersOf(selection: Selection): RequestOf<'GET /api/admin/payments/totals'>['query'] {
  const { from, to, refundable, ...rest } = selection
  return { ...rest, ...spanOfDays({ from, to }), ...(refundable && { refundable: '1' }) }
}

/** The three statuses of the specification, then the states behind them. */
export const statusChoice = ({ status, state }: Selection): string => state ?? status ?? ''

export function chooseStatus(selection: Selection, choice: string): Selection {
  const { status: _status, state: _state, ...others } = selection
  const status = oneOf(DISPLAY_STATUSES, choice)
  const state = oneOf(PAYMENT_STATES, choice)
  return { ...others, ...(status && { status }), ...(state && { state }) }
}

/** Each active filter in words, and the selection without it. */
export function describeFilters(
  selection: Selection,
  username: string | undefined,
): { text: string; without: Selection }[] {
  const { status, state, kind, user, from, to, min, max, refundable } = selection
  const texts: [keyof Selection, string][] = []
  if (refundable) texts.push(['refundable', 'Refundable'])
  if (state) texts.push(['state', paymentStates[state].label])
  if (status) texts.push(['status', status])
  if (kind) texts.push(['kind', kinds[kind]])
  if (user !== undefined) texts.push(['user', `User: ${username ?? user}`])
  if (from) texts.push(['from', `From ${formatCalendarDate(from)}`])
  if (to) texts.push(['to', `Until ${formatCalendarDate(to)}`])
  if (min !== undefined) texts.push(['min', `At least ${formatExactMoney(min)}`])
  if (max !== undefined) texts.push(['max', `At most ${formatExactMoney(max)}`])
  return texts.map(([name, text]) => {
    const { [name]: _, ...without } = selection
    return { text, without }
  })
}
