import { formatDecimal, formatNumber } from './numbers.ts'
import { NOTHING } from './viewer.ts'

type Length = number | null | undefined

const isMissing = (length: Length): length is null | undefined =>
  length === null || length === undefined || Number.isNaN(length)

/** `2:05` or `1:02:05` */
export function formatDuration(seconds: Length): string {
  if (isMissing(seconds)) return NOTHING
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (figure: number) => String(figure).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** `under 1 min`, `12 min`, `3 h 5 min` or `2 d 4 h` */
export function formatSpan(seconds: Length): string {
  if (isMissing(seconds)) return NOTHING
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  if (minutes < 1) return 'under 1 min'
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours === 0) return `${minutes} min`
  return minutes % 60 > 0 ? `${hours} h ${minutes % 60} min` : `${hours} h`
}

const withUnit = (text: string, unit: string): string => (text === NOTHING ? text : `${text} ${unit}`)

/** `60 s`, for a length that somebody has set. */
export const formatSeconds = (seconds: Length): string => withUnit(formatNumber(seconds), 's')

/** `2.3 s`, for a measured length. */
export const formatMeasuredSeconds = (seconds: Length): string => withUnit(formatDecimal(seconds), 's')

/** `20 ms` */
export const formatMilliseconds = (milliseconds: Length): string => withUnit(formatNumber(milliseconds), 'ms')

/** `1,234 min` */
export const formatMinutes = (minutes: Length): string =>
  withUnit(formatNumber(isMissing(minutes) ? null : Math.round(minutes)), 'min')

/** `+0.120 s`: the distance between two SIP messages. */
export const formatOffset = (milliseconds: number): string => `+${(milliseconds / 1000).toFixed(3)} s`

/** How long ago that was. */
export const formatWaited = (moment: string): string =>
  formatSpan((Date.now() - new Date(moment).getTime()) / 1_000)
