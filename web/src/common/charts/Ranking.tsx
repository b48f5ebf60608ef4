import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { PanelCard } from '../PanelCard.tsx'
import { AFTER_FIRST_CALL, ChartFailure } from './ChartCard.tsx'

export type Ranked = {
  key: number | string
  name: ReactNode
  /** Length of the bar, relative to the largest. */
  weight: number
  tone?: 'good' | 'worrying' | 'bad'
  figures: readonly ReactNode[]
}

type RankingProps = {
  title: string
  step: number
  /** Column headings. */
  head: readonly string[]
  rows: readonly Ranked[] | undefined
  empty: { title: string; text: string }
  /** The figures are not the customer's own. */
  isExample?: boolean
  /** Beside the title. */
  action?: ReactNode
  failure: string | null
  onRetry: () => void
}

/** A table with a bar in each row. */
export function Ranking({
  title,
  step,
  head,
  rows,
  empty,
  isExample,
  action,
  failure,
  onRetry,
}: RankingProps) {
  return (
    <PanelCard title={title} step={step} action={rows && (isExample ? <Badge>Example</Badge> : action)}>
      {rows && isExample && <p className="-mt-1.5 mb-3 text-muted text-sm">{AFTER_FIRST_CALL}</p>}
      {rows && rows.length > 0 ? (
        <div className="-mx-2">
          <RankTable title={title} head={head} rows={rows} />
        </div>
      ) : (
        <div className="grid min-h-48 place-items-center" aria-busy={!rows && !failure}>
          {rows ? (
            <EmptyState title={empty.title} text={empty.text} />
          ) : failure ? (
            <ChartFailure onRetry={onRetry}>{failure}</ChartFailure>
          ) : (
            <div className="w-full">
              <SkeletonRows rows={5} className="h-9" />
            </div>
          )}
        </div>
      )}
    </PanelCard>
  )
}

const tones = { good: 'bg-signal-edge', worrying: 'bg-pending', bad: 'bg-danger' }

function RankTable({
  title,
  head,
  rows,
}: {
  title: string
  head: readonly string[]
  rows: readonly Ranked[]
}) {
  const most = Math.max(...rows.map(({ weight }) => weight))
  return (
    <Table label={`${title}, in order`}>
      <THead>
        <Tr>
          {head.map((name, at) => (
            <Th key={name} numeric={at > 0} className="px-2!">
              {name}
            </Th>
          ))}
        </Tr>
      </THead>
      <TBody>
        {rows.map(({ key, name, weight, tone = 'good', figures }) => (
          <Tr key={key}>
            <Td className="w-2/5 min-w-28 px-2!">
              <span className="block max-w-44 truncate font-medium">{name}</span>
              <span aria-hidden className="mt-1 block h-1 rounded-sm bg-ink/6">
                <span
                  className={`block h-1 rounded-sm ${tones[tone]}`}
                  style={{ width: `${most > 0 ? Math.max(1, (weight / most) * 100) : 0}%` }}
                />
              </span>
            </Td>
            {figures.map((figure, at) => (
              <Td key={head[at + 1]} numeric className="px-2!">
                {figure}
              </Td>
            ))}
          </Tr>
        ))}
      </TBody>
    </Table>
  )
}
