import { formatDate, formatSeconds, formatTime } from './dates.ts'

/** Date and time of a table row: `Nov 15, 2026, 2:37 AM`, with the time muted. */
export const Moment = ({ at, seconds = false }: { at: string; seconds?: boolean }) => (
  <time dateTime={at}>
    {formatDate(at)}, <span className="text-muted">{seconds ? formatSeconds(at) : formatTime(at)}</span>
  </time>
)
