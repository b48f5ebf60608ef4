import { useQuery } from '@tanstack/react-query'
import { formatSpan } from '../../common/format/durations.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { timesQuery } from './queries.ts'

const NBSP = '\u00a0'

export function AnswerTimes() {
  const times = useQuery(timesQuery)
  return (
    <Loaded query={times} failed="The answer times could not be loaded." waiting={<Waiting />}>
      {({ median_first_answer_seconds: median, oldest_waiting_seconds: oldest }) => (
        <dl className="figures flex items-end gap-x-10 max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4">
          <Figure
            name={`Median first answer, 30${NBSP}days`}
            value={median === null ? 'No answers yet' : formatSpan(median)}
          />
          <Figure name="Oldest unanswered" value={oldest === null ? 'None' : formatSpan(oldest)} />
        </dl>
      )}
    </Loaded>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="lg:flex lg:items-baseline lg:gap-2 short:flex short:items-baseline short:gap-2">
    <dt className="engraved text-muted">{name}</dt>
    <dd className="mt-0.5 font-semibold text-lg tracking-tight short:mt-0 short:text-sm">{value}</dd>
  </div>
)

const Waiting = () => (
  <div aria-busy="true" className="flex gap-x-10">
    <Skeleton className="h-11 w-44" />
    <Skeleton className="h-11 w-32" />
  </div>
)
