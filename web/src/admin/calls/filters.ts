import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { FilterRules } from '../../common/calls/report/filters.ts'
import type { OperatorSearch, Selection } from '../../common/calls/report/search.ts'
import { formatDateTime, formatTime } from '../../common/format/dates.ts'
import { formatExactMoney } from '../../common/format/money.ts'
import { carrierResults, lacking, readAdminSearch } from './search.ts'

/** How the filter form of administrators is read. */
export const operatorRules: FilterRules = {
  read: readAdminSearch,
  faultsOf(lost, { min_margin, margin_below }) {
    const isEmpty = min_margin !== undefined && margin_below !== undefined && min_margin >= margin_below
    return {
      ...(lost('rate_prefix') && { rate_prefix: 'Please enter digits, such as 4420.' }),
      ...(lost('sip_code') && { sip_code: 'Please enter a SIP code from 100 to 699.' }),
      ...(lost('caller_id') && { caller_id: 'Please enter a number or its first digits.' }),
      ...(isEmpty && { margin: 'The upper bound must be above the lower one.' }),
      ...((lost('min_margin') || lost('margin_below')) && {
        margin: 'Please enter an amount in dollars, such as -0.50.',
      }),
    }
  },
}

type Names = { user?: string | undefined; trunk?: string | undefined; route?: string | undefined }

const HOUR_MS = 3_600_000

const texts: {
  [Name in keyof OperatorSearch]-?: (value: NonNullable<OperatorSearch[Name]>, names: Names) => string
} = {
  hour: (hour) =>
    `${formatDateTime(hour)} to ${formatTime(new Date(Date.parse(hour) + HOUR_MS).toISOString())}`,
  user: (id, { user }) => `User: ${user ?? id}`,
  trunk: (id, { trunk }) => `Carrier: ${trunk ?? id}`,
  carrier_result: (result) => `At the carrier: ${carrierResults[result]}`,
  without: (value) => lacking[value],
  route: (id, { route }) => `Route: ${route ?? id}`,
  rate_prefix: (digits) => `Prefix: ${digits}`,
  sip_code: (code) => `SIP code: ${code}`,
  reason: (reason) => `Reason: ${reasonTexts[reason].replace(/\.$/, '')}`,
  caller_id: (digits) => `Caller ID: ${digits}`,
  source_address: (address) => `Source address: ${address}`,
  device: (name) => `Device: ${name}`,
  min_margin: (amount) => `Margin from ${formatExactMoney(amount)}`,
  margin_below: (amount) => `Margin below ${formatExactMoney(amount)}`,
}

/** The text of each filter of administrators, and the selection without it. */
export function describeOperatorFilters(
  selection: Selection,
  names: Names,
): { text: string; without: Selection }[] {
  return (Object.keys(texts) as (keyof OperatorSearch)[]).flatMap((name) => {
    const { [name]: value, ...without } = selection
    const write = texts[name] as (value: unknown, names: Names) => string
    return value === undefined ? [] : [{ text: write(value, names), without }]
  })
}
