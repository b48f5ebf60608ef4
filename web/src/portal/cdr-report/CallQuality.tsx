import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CallQuality as Quality } from '@trunkline/contract/call-quality'
import { ownLiveCalls } from '../../app/live-calls.ts'
import { when } from '../../common/calls/report/NoCalls.tsx'
import { useAfterCalls } from '../../common/calls/use-after-calls.ts'
import { DayFields } from '../../common/DayFields.tsx'
import { FiguresNote, FiguresPanel } from '../../common/FiguresPanel.tsx'
import { ListCard } from '../../common/ListCard.tsx'
import { PeriodSelect } from '../../common/PeriodSelect.tsx'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonTable } from '../../ui/Skeleton.tsx'
import { CallViews } from './CallViews.tsx'
import { QualityTable } from './QualityTable.tsx'
import { type QualitySearch, qualityQuery, readQualitySearch, totalsOf } from './quality.ts'

const LEAST_PAUSE_MS = 10_000
const linkClass = 'rounded-sm font-medium text-ink underline underline-offset-4'

/** How good the calls of a period are, altogether and by country. */
export function CallQuality() {
  const chosen = readQualitySearch(useSearch({ from: '/customer-gate/dashboard/cdr-report/quality' }))
  const navigate = useNavigate({ from: '/dashboard/cdr-report/quality' })
  const query = useQuery(qualityQuery(chosen))
  useAfterCalls(ownLiveCalls, LEAST_PAUSE_MS, () => void query.refetch())
  const choose = (search: QualitySearch, replace = false) =>
    void navigate({ to: '.', search, replace, resetScroll: false })
  const { data } = query

  return (
    <>
      <ScreenTitle title="CDR Reports" text="Call Detail Records and Analytics" />
      <CallViews search={chosen} isQuality />
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <PeriodSelect
          className="w-40 max-sm:w-full"
          period={chosen.period}
          onChoose={(period) => choose({ period })}
        />
        {chosen.period === 'custom' && (
          <DayFields
            from={chosen.from}
            to={chosen.to}
            className="min-w-40 max-sm:flex-1"
            onChange={(name, day) => choose({ ...chosen, [name]: day }, true)}
          />
        )}
      </div>
      <FiguresPanel query={query} figures={totalsOf(data?.all)} size="lg" className="sm:grid-cols-4">
        {data && data.all.calls > 0 && <Note all={data.all} chosen={chosen} />}
      </FiguresPanel>
      <ListCard
        label="Quality by country"
        query={query}
        failed="The call quality could not be loaded."
        waiting={<SkeletonTable rows={5} className="h-[43px] max-md:h-29" parts={['w-32', 'ml-auto w-64']} />}
      >
        {({ countries }) =>
          countries.length === 0 ? (
            <EmptyState
              title={`No calls ${when(chosen)}`}
              text="The quality of your calls appears here when they end."
              action={
                (chosen.period !== 'custom' || chosen.from || chosen.to) && (
                  <Button onClick={() => choose({ period: 'custom' })}>Show all time</Button>
                )
              }
            />
          ) : (
            <QualityTable countries={countries} chosen={chosen} isOld={query.isPlaceholderData} />
          )
        }
      </ListCard>
    </>
  )
}

function Note({ all, chosen }: { all: Quality['all']; chosen: QualitySearch }) {
  if (all.measured === 0)
    return (
      <FiguresNote>
        No call has a measured quality yet. Calls of some seconds are measured if a phone sends reports
        (RTCP).
      </FiguresNote>
    )
  return (
    <FiguresNote>
      Each call counts with the side that heard worse. A call is poor if its MOS is below 3.6.{' '}
      <Link to="/dashboard/cdr-report" search={chosen} className={linkClass}>
        Show all calls
      </Link>
      {all.poor > 0 && (
        <>
          {' '}
          or{' '}
          <Link to="/dashboard/cdr-report" search={{ ...chosen, quality: 'poor' }} className={linkClass}>
            only poor calls
          </Link>
        </>
      )}
      .
    </FiguresNote>
  )
}
