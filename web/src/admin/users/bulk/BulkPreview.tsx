import type { BulkAction, BulkRow } from '@trunkline/contract/bulk-actions'
import { BULK_TIMEOUT_MS } from '@trunkline/contract/limits'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { ApiError, api, explain } from '../../../app/api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { differencesIn } from '../../audit-log/words.ts'
import { rereadUsers } from '../queries.ts'
import { rereadTemplates } from '../templates/queries.ts'
import type { Preview } from './selection.ts'
import { actionLabels, consequences, sayCount, skipWords } from './words.ts'

type BulkPreviewProps = {
  kind: BulkAction['kind']
  preview: Preview
  onBack: () => void
  /** Makes a new preview of the same action. */
  onAgain: () => Promise<void>
  onClose: () => void
  onDone: () => void
}

/** Every change of a bulk action. Applies exactly these, or none if a user changed since. */
export function BulkPreview({ kind, preview, onBack, onAgain, onClose, onDone }: BulkPreviewProps) {
  const { id, changing, skipped } = preview
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ text: string; isStale: boolean } | null>(null)

  async function run(work: () => Promise<void>) {
    setBusy(true)
    setRefusal(null)
    try {
      await work()
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'changed_meanwhile'
      setRefusal({ text: explain(error, 'The changes could not be applied. Please try again.'), isStale })
    }
    setBusy(false)
  }
  const apply = () =>
    run(async () => {
      const { changed } = await api('POST /api/admin/bulk-actions/:id/apply', {
        params: { id },
        timeoutMs: BULK_TIMEOUT_MS,
      })
      toast.success(`${sayCount(changed)} changed.`)
      void rereadUsers()
      void rereadTemplates()
      onDone()
    })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${actionLabels[kind]}: ${sayCount(changing)}`}
      description={[skipped > 0 && `${sayCount(skipped)} will be skipped.`, consequences[kind]]
        .filter(Boolean)
        .join(' ')}
      maxWidth={640}
      isBusy={isBusy}
      footer={
        <>
          <Button className="mr-auto" variant="ghost" disabled={isBusy} onClick={onBack}>
            <ArrowLeft aria-hidden />
            Back
          </Button>
          <Button disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          {refusal?.isStale ? (
            <Button variant="primary" busy={isBusy} onClick={() => void run(onAgain)}>
              Preview again
            </Button>
          ) : (
            <Button
              variant={kind === 'disable' ? 'danger' : 'primary'}
              busy={isBusy}
              disabled={changing === 0}
              onClick={() => void apply()}
            >
              Apply to {sayCount(changing)}
            </Button>
          )}
        </>
      }
    >
      {refusal && (
        <Notice tone="danger" className="mb-4">
          {refusal.text}
        </Notice>
      )}
      <Rows kind={kind} preview={preview} />
    </Dialog>
  )
}

type RowsProps = { kind: BulkAction['kind']; preview: Preview }

function Rows({ kind, preview }: RowsProps) {
  const [read, setRead] = useState({ rows: preview.rows, next: preview.next })
  const [isBusy, setBusy] = useState(false)
  async function more(after: number) {
    setBusy(true)
    try {
      const page = await api('GET /api/admin/bulk-actions/:id/rows', {
        params: { id: preview.id },
        query: { after },
      })
      setRead({ rows: [...read.rows, ...page.rows], next: page.next })
    } catch (error) {
      toast.error(explain(error, 'More users could not be loaded. Please try again.'))
    }
    setBusy(false)
  }
  return (
    <>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Preview"
        className="max-h-[50dvh] divide-y overflow-y-auto rounded-sm"
      >
        {read.rows.map((row) => (
          <Row key={row.user.id} row={row} none={kind === 'apply_template' ? 'default' : 'none'} />
        ))}
      </ul>
      {read.next !== null && (
        <Button size="sm" className="mt-3" busy={isBusy} onClick={() => void more(read.next ?? 0)}>
          Show more
        </Button>
      )}
    </>
  )
}

type RowProps = {
  row: BulkRow
  /** Stands for a value that is not set. */
  none: string
}

const Row = ({ row: { user, skipped, before, after }, none }: RowProps) => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2 text-sm first:pt-0">
    <span className="min-w-32 break-all font-medium">{user.username}</span>
    {skipped ? (
      <Badge className="ml-auto">{skipWords[skipped]}</Badge>
    ) : (
      <span className="figures min-w-0 flex-1 break-words text-right text-muted max-sm:text-left">
        {differencesIn({ before, after }).map((change) => (
          <span key={change.field} className="block">
            {change.field}: {sayValue(change.before, none)} →{' '}
            <span className="text-ink">{sayValue(change.after, none)}</span>
          </span>
        ))}
      </span>
    )}
  </li>
)

const sayValue = (value: string | null, none: string) => (value === null || value === 'none' ? none : value)
