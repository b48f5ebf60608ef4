import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { formatNumber } from './format/numbers.ts'
import type { Running } from './use-export.ts'

type ProgressProps = {
  /** Name of the rows, such as 'calls'. */
  of: string
  running: Running
  onCancel: () => void
}

export function ExportProgress({ of, running: { kind, rows, total, isDrawing }, onCancel }: ProgressProps) {
  const share = isDrawing || !total ? undefined : Math.min(100, Math.round((rows / total) * 100))
  return (
    <div className="relative col-span-2 flex w-full items-center gap-3 overflow-hidden rounded-md border bg-sunken py-1.5 pr-1.5 pl-3 text-sm">
      <p role="status" className="sr-only">
        Exporting {kind}
      </p>
      <p aria-hidden className="figures min-w-0 flex-1">
        {isDrawing ? `Preparing ${formatNumber(rows)} ${of}…` : `Exporting ${kind}: ${formatNumber(rows)}`}
        {!isDrawing && (total ? ` of ${formatNumber(total)} ${of}` : ` ${of} so far`)}
      </p>
      <Button size="sm" variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <span
        role="progressbar"
        aria-label={`Exporting ${kind}`}
        aria-valuenow={share}
        className={cx(
          'absolute bottom-0 left-0 h-0.5 bg-signal-edge',
          share === undefined && 'w-full animate-wait',
        )}
        style={share === undefined ? undefined : { width: `${share}%` }}
      />
    </div>
  )
}
