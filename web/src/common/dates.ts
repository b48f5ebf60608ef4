/** Dates in US English, in the viewer's time zone. */

const write = (moment: string, options: Intl.DateTimeFormatOptions): string =>
  new Date(moment).toLocaleString('en-US', options)

/** `Nov 15, 2026` */
export const formatDate = (moment: string): string => write(moment, { dateStyle: 'medium' })

/** `2:37 AM` */
export const formatTime = (moment: string): string => write(moment, { timeStyle: 'short' })

/** `2:37:05 AM` */
export const formatSeconds = (moment: string): string => write(moment, { timeStyle: 'medium' })

/** `Nov 15, 2026, 2:37 AM` */
export const formatDateTime = (moment: string): string =>
  write(moment, { dateStyle: 'medium', timeStyle: 'short' })

/** Names the time zone, for documents that leave the browser: `November 15, 2026 at 2:37 AM UTC` */
export const formatDateTimeWithZone = (moment: string): string =>
  write(moment, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
