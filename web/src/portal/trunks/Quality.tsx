import { useQuery } from '@tanstack/react-query'
import { formatDuration } from '../../common/format/durations.ts'
import { formatPercent } from '../../common/format/numbers.ts'
import { qualityQuery } from './queries.ts'

/** Answer rate and average duration of a route. Always one line high, so that nothing moves when it loads. */
export function Quality({ routeId }: { routeId: number }) {
  const { data, isPending } = useQuery(qualityQuery)
  const quality = data?.[routeId]
  const words =
    quality && quality.answer_rate !== null
      ? [
          `${formatPercent(quality.answer_rate)} answered`,
          quality.average_duration === null ? null : `${formatDuration(quality.average_duration)} average`,
        ]
          .filter(Boolean)
          .join(' · ')
      : 'Not enough calls to rate quality'
  return (
    <span
      className="figures block text-muted text-xs"
      title="Based on all customers’ calls in the last 30 days"
    >
      {isPending ? '\u00a0' : words}
    </span>
  )
}
