import { cached, currentViewer, NOTHING, type Viewer } from './viewer.ts'

/** An ISO timestamp. */
type Moment = string | null | undefined

function formatterOf(options: Intl.DateTimeFormatOptions) {
  // Without a fixed calendar, a viewer in Thailand would see the year 2569.
  const formatter = cached(
    ({ locale, timeZone }) =>
      new Intl.DateTimeFormat(locale, { calendar: 'gregory', numberingSystem: 'latn', timeZone, ...options }),
  )
  return (moment: Moment, viewer: Viewer = currentViewer()): string => {
    const date = new Date(moment ?? Number.NaN)
    // Some engines put a narrow no-break space before AM, which the fonts of a PDF do not have.
    return Number.isNaN(date.getTime()) ? NOTHING : formatter(viewer).format(date).replaceAll('\u202f', ' ')
  }
}

/** `Nov 15, 2026` */
export const formatDate = formatterOf({ dateStyle: 'medium' })

/** `2:37 AM` */
export const formatTime = formatterOf({ timeStyle: 'short' })

/** `2:37:05 AM` */
export const formatTimeWithSeconds = formatterOf({ timeStyle: 'medium' })

/** `Nov 15, 2026, 2:37 AM` */
export const formatDateTime = formatterOf({ dateStyle: 'medium', timeStyle: 'short' })

/** Names the time zone, for documents that leave the browser: `November 15, 2026 at 2:37 AM UTC` */
export const formatDateTimeWithZone = formatterOf({
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

const hour = formatterOf({ hour: 'numeric' })

/** `2 AM`, or `02:00` where the clock has 24 hours. */
export function formatHour(moment: Moment, viewer?: Viewer): string {
  const short = hour(moment, viewer)
  return /^\d+$/.test(short) ? formatTime(moment, viewer) : short
}

/** For a time that is already local: `2 PM` for `2026-11-15T14:00`. */
export const formatLocalHour = (written: string, viewer: Viewer = currentViewer()): string =>
  formatHour(`${written}:00Z`, { ...viewer, timeZone: 'UTC' })

/** Calendar days and months have no time zone. */
const inUtc = (options: Intl.DateTimeFormatOptions) => formatterOf({ ...options, timeZone: 'UTC' })
const calendarDate = inUtc({ dateStyle: 'medium' })
const day = inUtc({ month: 'short', day: 'numeric' })
const month = inUtc({ month: 'short' })
const monthYear = inUtc({ month: 'short', year: 'numeric' })

const days = cached(
  ({ locale, timeZone }) =>
    new Intl.DateTimeFormat(locale, {
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone,
      dateStyle: 'medium',
    }),
)

/** `Nov 1 – 30, 2026` for the days of a period in a time zone. `to` is exclusive. */
export function formatPeriod(from: string, to: string, viewer: Viewer): string {
  const last = new Date(new Date(to).getTime() - 1)
  return days(viewer).formatRange(new Date(from), last).replaceAll('\u2009', ' ')
}

/** `Nov 15` for `2026-11-15` */
export const formatDay = (written: string, viewer?: Viewer): string => day(`${written}T00:00:00Z`, viewer)

/** `Nov 15, 2026` for `2026-11-15` */
export const formatCalendarDate = (written: string, viewer?: Viewer): string =>
  calendarDate(`${written}T00:00:00Z`, viewer)

/** `Nov` for `2026-11` */
export const formatMonth = (written: string, viewer?: Viewer): string =>
  month(`${written}-01T00:00:00Z`, viewer)

/** `Nov 2026` for `2026-11` */
export const formatMonthYear = (written: string, viewer?: Viewer): string =>
  monthYear(`${written}-01T00:00:00Z`, viewer)

/** `2026-11-15 02:37:05.123Z`, for technical records. */
export const formatUtc = (moment: string): string => new Date(moment).toISOString().replace('T', ' ')
