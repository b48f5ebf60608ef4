import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ListCard } from '../../common/ListCard.tsx'
import { cx } from '../../ui/cx.ts'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Chart } from './Chart.tsx'
import { analysisQuery } from './queries.ts'
import { Rows } from './Rows.tsx'
import { type AnalysisSearch, daysOf, faultOf, readAnalysisSearch } from './search.ts'
import { Toolbar } from './Toolbar.tsx'
import { Totals } from './Totals.tsx'

export function Analysis() {
  const search = readAnalysisSearch(useSearch({ from: '/admin-gate/admin-panal/analysis' }))
  const navigate = useNavigate({ from: '/admin-panal/analysis' })
  const go = (next: AnalysisSearch) =>
    void navigate({ to: '.', search: next, replace: true, resetScroll: false })
  const days = daysOf(search, new Date())
  const fault = faultOf(days)
  const query = useQuery({ ...analysisQuery(search, days), enabled: fault === undefined })
  const shared = { search, days, onGo: go }

  return (
    <>
      <Toolbar {...shared} fault={fault} />
      <div
        className={cx(
          'flex flex-col gap-2 transition-opacity',
          (query.isPlaceholderData || fault) && 'opacity-60',
        )}
      >
        <section aria-label="Figures" className="grid gap-2 xl:grid-cols-2">
          <Totals {...shared} analysis={query.data} />
          <Chart {...shared} query={query} />
        </section>
        <ListCard
          label="Analysis"
          query={query}
          failed="The analysis could not be loaded."
          waiting={<SkeletonRows rows={10} className="m-4 h-6" />}
        >
          {(analysis) => <Rows {...shared} analysis={analysis} />}
        </ListCard>
      </div>
    </>
  )
}
