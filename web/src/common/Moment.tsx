import { atTime, onDay } from './payments/dates.ts'

/** Day and time of a row, by the reader's clock. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at}>
    {onDay(at)} <span className="text-muted">{atTime(at)}</span>
  </time>
)
