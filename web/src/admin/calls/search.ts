import { reasonTexts } from '@trunkline/contract/call-reasons'
import { DEVICE_MAX, SIP_CODE_MAX, SIP_CODE_MIN } from '@trunkline/contract/limits'
import { idIn, numberIn, signedDollarsIn, textIn, withoutGaps } from '../../common/address.ts'
import { type CdrSearch, keyIn, type Raw, readSearch } from '../../common/calls/report/search.ts'
import { writeDay } from '../../common/period.ts'

/** What a carrier did with a call, as in the filter. */
export const carrierResults = { answered: 'Answered', failed: 'Did not answer' } as const

/** Values that a call can lack. */
export const lacking = {
  country: 'No country',
  prefix: 'No prefix',
  route: 'No route',
  customer: 'Unknown caller',
  caller: 'No caller ID',
  code: 'No response',
} as const

/** The parameters of the customer's report, and those of administrators. Ignores invalid ones. */
export const readAdminSearch = (raw: Raw): CdrSearch =>
  withoutGaps({
    ...readSearch(raw),
    user: idIn(raw.user),
    trunk: idIn(raw.trunk),
    carrier_result: keyIn(carrierResults, raw.carrier_result),
    without: keyIn(lacking, raw.without),
    route: idIn(raw.route),
    rate_prefix: digitsIn(raw.rate_prefix),
    sip_code: sipCodeIn(raw.sip_code),
    reason: keyIn(reasonTexts, raw.reason),
    caller_id: digitsIn(raw.caller_id),
    source_address: textIn(raw.source_address)?.trim().slice(0, 64) || undefined,
    device: textIn(raw.device)?.trim().slice(0, DEVICE_MAX) || undefined,
    min_margin: signedDollarsIn(raw.min_margin),
    margin_below: signedDollarsIn(raw.margin_below),
    hour: hourIn(raw.hour),
  })

function sipCodeIn(value: unknown): number | undefined {
  const code = numberIn(value)
  return code !== undefined && Number.isInteger(code) && code >= SIP_CODE_MIN && code <= SIP_CODE_MAX
    ? code
    : undefined
}

/** Digits, without the spacing that people write. */
function digitsIn(value: unknown): string | undefined {
  const written = textIn(value)?.trim() ?? ''
  const digits = written.replace(/[+\s()./-]/g, '')
  return /^\d{1,20}$/.test(digits) ? digits : undefined
}

/** Any time of an hour in ISO 8601 format; the hour starts at its full minute zero in the viewer's time zone. */
function hourIn(value: unknown): string | undefined {
  const written = textIn(value) ?? ''
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(written) || Number.isNaN(Date.parse(written))) return undefined
  return startOfHour(written)
}

function startOfHour(moment: string): string {
  const start = new Date(moment)
  start.setMinutes(0, 0, 0)
  return start.toISOString()
}

/**
 * The calls that a carrier did not answer in the hour of a call, also if another carrier completed them. Without the hour, those of its day.
 */
export function failuresOf(trunk: number, startedAt: string): CdrSearch {
  const day = writeDay(new Date(startedAt))
  return {
    period: 'custom',
    from: day,
    to: day,
    hour: startOfHour(startedAt),
    trunk,
    carrier_result: 'failed',
  }
}
