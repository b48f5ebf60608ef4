import { useMutation, useQuery } from '@tanstack/react-query'
import { DECK_TIMEOUT_MS, NUMBERS_CSV_BYTES_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { ImportPreview } from '@trunkline/contract/numbers'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { formatCount, formatNumber } from '../../common/format/numbers.ts'
import { newRequestKey } from '../../common/request-key.ts'
import { saveFile } from '../../common/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { CSV_TEMPLATE, TEMPLATE_NAME } from './csv-template.ts'
import { ImportLines } from './ImportLines.tsx'
import { rereadNumbers } from './queries.ts'

type ChosenFile = { name: string; csv: string; requestKey: string }

/** Imports a CSV file after a preview of what it changes. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [fileError, setFileError] = useState<string | null>(null)
  const check = useMutation({
    mutationFn: async (csv: string) => {
      const request = { body: { csv }, timeoutMs: DECK_TIMEOUT_MS }
      return (await api('POST /api/admin/numbers/import/preview', request)).preview
    },
  })
  const load = useMutation({
    mutationFn: ({ csv, requestKey }: ChosenFile) =>
      api('POST /api/admin/numbers/import', {
        body: { csv, request_key: requestKey },
        timeoutMs: DECK_TIMEOUT_MS,
      }),
    onSettled: () => void rereadNumbers(),
  })

  async function choose(given: File | undefined) {
    check.reset()
    load.reset()
    setFile(null)
    setFileError(null)
    if (!given) return
    if (given.size > NUMBERS_CSV_BYTES_MAX) {
      setFileError('This file is larger than 1 MB. Split it into several files.')
      return
    }
    const csv = await given.text()
    // One key for all attempts: a repeated request is imported once.
    setFile({ name: given.name, csv, requestKey: newRequestKey() })
    if (csv.trim() === '') setFileError('This file is empty.')
    else check.mutate(csv)
  }

  const found = check.data
  const changes = found ? found.counts.new + found.counts.update : 0
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Import numbers"
      description="Nothing changes until you have seen the preview."
      maxWidth={820}
      isBusy={load.isPending}
      footer={
        load.data ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button disabled={load.isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button
              variant="primary"
              disabled={changes === 0 || check.isPending}
              busy={load.isPending}
              onClick={() => file && load.mutate(file)}
            >
              {changes === 0 ? 'Import' : `Import ${formatCount(changes, 'number')}`}
            </Button>
          </>
        )
      }
    >
      {load.data ? (
        <Result {...load.data} />
      ) : (
        <div className="flex flex-col gap-5">
          <FileField error={fileError} isDisabled={load.isPending} onChoose={(given) => void choose(given)} />
          {check.isPending && <p role="status">Reading {file?.name}…</p>}
          {check.isError && <Notice tone="danger">{explain(check.error, messages.unexpected)}</Notice>}
          {load.isError && (
            <Notice tone="danger">{explain(load.error, messages.unexpected)} Nothing was imported.</Notice>
          )}
          {load.isPending && file && <Progress count={changes} requestKey={file.requestKey} />}
          {found && !load.isPending && <Preview preview={found} />}
        </div>
      )}
    </Dialog>
  )
}

type FileFieldProps = {
  error: string | null
  isDisabled: boolean
  onChoose: (file: File | undefined) => void
}

const FileField = ({ error, isDisabled, onChoose }: FileFieldProps) => (
  <div className="flex flex-col gap-3">
    <Field
      label="CSV file"
      error={error}
      hint="One number per line, up to 1 MB. Only number and monthly are needed for a new number."
    >
      <Input
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        disabled={isDisabled}
        className="h-auto py-2 file:mr-3 file:rounded-sm file:border-0 file:bg-ink/8 file:px-2 file:py-1 file:text-ink"
        onChange={(event) => onChoose(event.target.files?.[0])}
      />
    </Field>
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-muted">Template with all columns:</span>
      <Button
        size="sm"
        onClick={() => saveFile(new Blob([CSV_TEMPLATE], { type: 'text/csv' }), TEMPLATE_NAME)}
      >
        <Download aria-hidden />
        Download
      </Button>
      <CopyButton text={CSV_TEMPLATE} what="the template" />
    </div>
  </div>
)

const PROGRESS_REFRESH_MS = 500

function Progress({ count, requestKey }: { count: number; requestKey: string }) {
  const { data } = useQuery({
    queryKey: ['number-import', requestKey],
    queryFn: async ({ signal }) =>
      (await api('GET /api/admin/numbers/import', { query: { request_key: requestKey }, signal })).progress,
    refetchInterval: PROGRESS_REFRESH_MS,
  })
  return (
    <div className="relative overflow-hidden rounded-md border bg-sunken px-3 py-2.5 text-sm">
      <p role="status" className="figures">
        Importing {formatCount(count, 'number')}…{data && ` ${formatNumber(data.done)} done.`}
      </p>
      <span
        role="progressbar"
        aria-label="Importing numbers"
        aria-valuemin={0}
        aria-valuemax={data?.total ?? count}
        aria-valuenow={data?.done}
        style={data ? { width: `${(100 * data.done) / data.total}%` } : undefined}
        className={cx(
          'absolute bottom-0 left-0 h-0.5 bg-signal-edge transition-[width]',
          !data && 'w-full animate-wait',
        )}
      />
    </div>
  )
}

function Preview({ preview: { counts, lines } }: { preview: ImportPreview }) {
  const parts = [
    counts.new > 0 &&
      `${formatCount(counts.new, 'new number becomes', 'new numbers become')} available for rent.`,
    counts.update > 0 &&
      `${formatCount(counts.update, 'existing number changes', 'existing numbers change')}. Empty fields keep their values.`,
    counts.same > 0 && `${formatCount(counts.same, 'number has', 'numbers have')} no changes.`,
  ].filter(Boolean)
  return (
    <section aria-label="Preview" className="flex flex-col gap-4">
      {counts.invalid > 0 && (
        <Notice tone="pending">
          {formatCount(counts.invalid, 'line is', 'lines are')} invalid and will be skipped.
        </Notice>
      )}
      <p role="status" className="figures text-sm">
        {parts.length > 0 ? parts.join(' ') : 'There is nothing to import.'}
      </p>
      {lines.length > 0 && <ImportLines lines={lines} total={total(counts)} />}
    </section>
  )
}

const total = (counts: ImportPreview['counts']) => counts.new + counts.update + counts.same + counts.invalid

const Result = ({ imported, updated, skipped }: { imported: number; updated: number; skipped: number }) => (
  <Notice tone="success">
    {formatCount(imported, 'number was', 'numbers were')} added and {formatNumber(updated)} updated.
    {skipped > 0 && ` ${formatCount(skipped, 'line was', 'lines were')} skipped.`}
  </Notice>
)
