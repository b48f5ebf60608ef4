import type { AdminCdrDetails } from '@trunkline/contract/cdr'
import { Part } from '../../common/Details.tsx'
import { formatTimeWithSeconds } from '../../common/format/dates.ts'
import { formatMeasuredSeconds } from '../../common/format/durations.ts'
import { Badge } from '../../ui/Badge.tsx'

/** Each carrier, or each target of an incoming call, with its result, the time of the attempt and how long it took. */
export const CarriersTried = ({
  attempts,
  direction,
  status,
}: Pick<AdminCdrDetails, 'attempts' | 'direction' | 'status'>) => (
  <Part title={direction === 'in' ? 'Who was rung' : 'Carriers tried'}>
    {attempts.length === 0 ? (
      <p className="text-muted text-sm">
        {status === 'completed'
          ? 'The attempts of this call were not recorded.'
          : direction === 'in'
            ? 'Nobody was rung.'
            : 'No carrier was tried.'}
      </p>
    ) : (
      <ol className="divide-y">
        {attempts.map(({ trunk, code, reason, at, took_ms: tookMs }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a carrier can be tried twice, and the list never changes
          <li key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2 text-sm">
            <span aria-hidden className="figures w-4 shrink-0 text-right text-muted">
              {index + 1}
            </span>
            <span className="min-w-0 flex-1 break-words">{trunk}</span>
            <Badge tone={code < 300 ? 'success' : 'danger'}>
              {code} {reason}
            </Badge>
            <span className="figures text-muted max-sm:w-full max-sm:pl-7">
              {at === null ? 'Time not recorded' : formatTimeWithSeconds(at)}
              {tookMs !== null && `, ${formatMeasuredSeconds(tookMs / 1000)}`}
            </span>
          </li>
        ))}
      </ol>
    )}
  </Part>
)
