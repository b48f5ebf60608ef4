import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { PanelCard } from '../PanelCard.tsx'
import type { ChartTable } from './words.ts'

/** Props of a chart: its size and the highlighted part. */
export type Drawing = {
  width: number
  height: number
  pointed: number | null
  onPoint: (at: number | null) => void
}

type ChartCardProps = {
  title: string
  step: number
  height: number
  legend?: ReactNode
  className?: string
  /** One line above the chart instead of two. */
  isCompact?: boolean
  /** The figures are not the customer's own. */
  isExample?: boolean
  /** Undefined while loading. */
  shown:
    | {
        readout: (pointed: number | null) => string
        table: ChartTable
        /** The reason for an empty chart. */
        empty: string | null
        drawing: (drawing: Drawing) => ReactNode
      }
    | undefined
  failure: string | null
  onRetry: () => void
  /** Opens what is behind a part of the chart, with Enter. */
  onOpen?: (at: number) => void
}

export const AFTER_FIRST_CALL = 'Appears after your first call.'

/** A chart with a readout line and a table for screen readers. Its height is the same in every state. */
export function ChartCard({
  title,
  step,
  height,
  legend,
  className,
  isCompact = false,
  isExample = false,
  shown,
  failure,
  onRetry,
  onOpen,
}: ChartCardProps) {
  const [pointed, setPointed] = useState<number | null>(null)
  // Known before the figures arrive, so that they are drawn once.
  const { ref, width } = useWidth<HTMLDivElement>()
  const readout = shown?.empty === null && (isExample ? AFTER_FIRST_CALL : shown.readout(pointed))
  const titled = isExample ? `Example of ${title}` : title
  return (
    <PanelCard
      title={title}
      step={step}
      action={
        isCompact ? (
          <span className="figures flex items-center gap-3 font-medium text-sm">
            <span>{readout}</span>
            {readout && legend}
          </span>
        ) : (
          readout && (isExample ? <Badge>Example</Badge> : legend)
        )
      }
      className={cx(isCompact && 'px-4! pt-2! pb-1.5! [&>header]:mb-1', className)}
    >
      <div ref={ref}>
        {shown && shown.empty === null ? (
          <>
            {!isCompact && (
              <p
                className={cx(
                  'figures -mt-1.5 mb-3 truncate font-medium max-sm:text-sm',
                  isExample && 'text-muted',
                )}
              >
                {readout}
              </p>
            )}
            <Plot
              title={titled}
              width={width}
              height={height}
              isFaint={isExample}
              parts={shown.table.rows.length}
              pointed={pointed}
              onPoint={setPointed}
              onOpen={onOpen}
              drawing={shown.drawing}
            />
            <Behind title={titled} table={shown.table} />
          </>
        ) : (
          <div
            className="grid place-items-center"
            style={{ minHeight: isCompact ? height : height + 29 }}
            aria-busy={!shown && !failure}
          >
            {shown ? (
              isCompact ? (
                <p className="text-muted text-sm">{shown.empty}</p>
              ) : (
                <EmptyState title={shown.empty} text={AFTER_FIRST_CALL} />
              )
            ) : failure ? (
              <ChartFailure onRetry={onRetry}>{failure}</ChartFailure>
            ) : (
              <Waiting />
            )}
          </div>
        )}
      </div>
    </PanelCard>
  )
}

export const ChartFailure = ({ onRetry, children }: { onRetry: () => void; children: ReactNode }) => (
  <div className="text-center">
    <p className="mb-3 text-muted text-sm">{children}</p>
    <Button size="sm" onClick={onRetry}>
      Try again
    </Button>
  </div>
)

const Waiting = () => (
  <div className="flex size-full flex-col justify-between pb-5">
    <Skeleton className="w-44" />
    {[0, 1, 2, 3, 4].map((line) => (
      <Skeleton key={line} className="h-px w-full" />
    ))}
  </div>
)

type PlotProps = Pick<Drawing, 'width' | 'height' | 'pointed' | 'onPoint'> & {
  title: string
  isFaint: boolean
  parts: number
  onOpen: ((at: number) => void) | undefined
  drawing: (drawing: Drawing) => ReactNode
}

/** Arrow keys move the highlight. */
function Plot({ title, width, height, isFaint, parts, pointed, onPoint, onOpen, drawing }: PlotProps) {
  function walk(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (event.key === 'Escape') return onPoint(null)
    if (event.key === 'Enter' && pointed !== null) return onOpen?.(pointed)
    if (step === undefined) return
    event.preventDefault()
    onPoint(pointed === null ? (step > 0 ? 0 : parts - 1) : Math.min(Math.max(pointed + step, 0), parts - 1))
  }

  return (
    <div
      role="img"
      aria-label={`${title} chart. Its data is in the table that follows.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the highlight, so the chart needs focus
      tabIndex={0}
      onKeyDown={walk}
      onPointerLeave={() => onPoint(null)}
      onBlur={() => onPoint(null)}
      className={cx('rounded-sm', isFaint && '[&_svg]:opacity-45')}
      style={{ height }}
    >
      {width > 0 && drawing({ width, height, pointed, onPoint })}
    </div>
  )
}

function Behind({ title, table: { head, rows } }: { title: string; table: ChartTable }) {
  const caption = useId()
  return (
    <div className="sr-only">
      <table aria-labelledby={caption}>
        <caption id={caption}>{title}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...figures], at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move, and two hours may have the same label
            <tr key={at}>
              <th scope="row">{name}</th>
              {figures.map((figure, column) => (
                <td key={head[column + 1]}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
