import { formatDate, formatTime, formatTimeWithSeconds } from './format/dates.ts'

/** Date and time of a table row: `Nov 15, 2026, 2:37 AM`, with the time muted. */
export const Moment = ({ at, seconds = false }: { at: string; seconds?: boolean }) => (
  <time dateTime={at}>
    {formatDate(at)},{' '}
    <span className="text-muted">{seconds ? formatTimeWithSeconds(at) : formatTime(at)}</span>
  </time>
)
