import { useQuery } from '@tanstack/react-query'
import { invoiceProblemWords, invoiceParts as partNames } from '@trunkline/contract/carrier-invoice-words'
import {
  CARRIER_INVOICE_BYTES_MAX,
  CARRIER_INVOICE_NAME_MAX,
  CARRIER_INVOICE_TIMEOUT_MS,
} from '@trunkline/contract/limits'
import { type InvoicePart, invoiceParts } from '@trunkline/domain/carrier-invoices'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { withoutGaps } from '../../common/address.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { trunksQuery } from '../trunks/queries.ts'
import { rereadInvoices } from './queries.ts'
import {
  blankUpload,
  type ChosenFile,
  missingIn,
  nameOf,
  openFile,
  requestOf,
  type UploadValues,
  validateUpload,
} from './upload-form.ts'

type UploadDialogProps = {
  trunk: number | undefined
  onCompared: (id: number) => void
  onClose: () => void
}

const MEGABYTE = 1024 * 1024

export function UploadDialog({ trunk, onCompared, onClose }: UploadDialogProps) {
  const trunks = useQuery(trunksQuery).data
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [fileError, setFileError] = useState<string | null>(null)
  const form = useForm<UploadValues, 'file' | 'columns'>({
    initial: blankUpload(trunk, viewersZone()),
    validate: (values) => validateUpload(values, file),
    submit: async (values) => {
      if (!file) return
      const { invoice } = await api('POST /api/admin/carrier-invoices', {
        body: requestOf(values, file),
        timeoutMs: CARRIER_INVOICE_TIMEOUT_MS,
      })
      const isStillOpen = form.ref.current !== null
      if (isStillOpen) onCompared(invoice.id)
    },
    failed: 'The invoice could not be compared. Please try again.',
    onSettled: rereadInvoices,
  })
  const { bind, edit, errors, values } = form
  const missing = missingIn(file)

  async function choose(given: File | undefined) {
    setFile(null)
    if (!given) return
    if (given.size > CARRIER_INVOICE_BYTES_MAX) {
      setFileError(
        `This file is larger than ${CARRIER_INVOICE_BYTES_MAX / MEGABYTE} MB. Split it into shorter periods.`,
      )
      return
    }
    setFileError(null)
    setFile(openFile(given.name, await given.text()))
    edit(values.name === '' ? { name: nameOf(given.name) } : {})
  }

  return (
    <FormDialog
      form={form}
      title="Compare an invoice"
      description="Upload the carrier’s list of calls as CSV. Each line is compared with our call record."
      label="Compare an invoice"
      action={form.isBusy ? 'Comparing…' : 'Compare'}
      isDisabled={missing.length > 0}
      maxWidth={760}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Carrier" error={errors.trunk_id}>
          <Select {...bind('trunk_id')} required>
            <option value="">Choose a carrier</option>
            <Options of={trunks?.map(({ id, name }) => [id, name])} />
          </Select>
        </Field>
        <Field
          label="File"
          error={fileError ?? (file ? undefined : errors.file)}
          hint="CSV with up to 200,000 calls and 20 MB."
        >
          <Input
            type="file"
            name="file"
            required
            accept=".csv,.txt,.tsv,text/csv,text/plain"
            className="h-auto py-2 file:mr-3 file:rounded-sm file:border-0 file:bg-ink/8 file:px-2 file:py-1 file:text-ink"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </Field>
        <Field label="Name" error={errors.name} hint="For example the number of the invoice.">
          <Input {...bind('name')} required maxLength={CARRIER_INVOICE_NAME_MAX} autoComplete="off" />
        </Field>
        <Field
          label="Time zone of the file"
          error={errors.timezone}
          hint="Times with an offset of their own ignore it."
        >
          <Select {...bind('timezone')}>
            <Options of={timeZones().map((zone) => [zone, zone.replaceAll('_', ' ')])} />
          </Select>
        </Field>
      </div>
      {file && (
        <Columns
          file={file}
          problem={missing.length > 0 ? invoiceProblemWords({ problem: 'columns_missing', missing }) : null}
          onChange={(columns) => setFile({ ...file, columns })}
        />
      )}
      <fieldset className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <legend className="mb-1.5 font-semibold text-sm">Period and tolerances</legend>
        <Field label="First day" error={errors.from} hint="Blank: the first day of the file.">
          <Input type="date" {...bind('from')} />
        </Field>
        <Field label="Last day" error={errors.to} hint="Blank: the last day of the file.">
          <Input type="date" {...bind('to')} />
        </Field>
        <Field label="Date format" error={errors.date_order} className="max-sm:col-span-2">
          <Select {...bind('date_order')}>
            <option value="">Automatic</option>
            <option value="dmy">Day first, 31/12/2026</option>
            <option value="mdy">Month first, 12/31/2026</option>
          </Select>
        </Field>
        <Field
          label="Time, seconds"
          error={errors.match_tolerance}
          hint="How far the times of one call may differ."
        >
          <Input {...bind('match_tolerance')} inputMode="numeric" className="figures" />
        </Field>
        <Field
          label="Duration, seconds"
          error={errors.duration_tolerance}
          hint="Smaller differences are equal."
        >
          <Input {...bind('duration_tolerance')} inputMode="numeric" className="figures" />
        </Field>
        <Field label="Amount, dollars" error={errors.price_tolerance} hint="Smaller differences are equal.">
          <Input {...bind('price_tolerance')} inputMode="decimal" className="figures" />
        </Field>
      </fieldset>
    </FormDialog>
  )
}

type ColumnsProps = {
  file: ChosenFile
  problem: string | null
  onChange: (columns: ChosenFile['columns']) => void
}

/** The columns found by name, with the first call as an example. */
function Columns({ file, problem, onChange }: ColumnsProps) {
  const { header, example, columns } = file
  const choose = (part: InvoicePart, value: string) =>
    onChange(withoutGaps({ ...columns, [part]: value === '' ? undefined : Number(value) }))
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold text-sm">Columns</legend>
      {problem && (
        <Notice tone="pending" className="mb-3">
          {problem}
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
        {invoiceParts.map((part) => {
          const at = columns[part]
          return (
            <Field
              key={part}
              label={partNames[part]}
              hint={at !== undefined && example[at] ? <Example text={example[at]} /> : undefined}
            >
              <Select value={at ?? ''} onChange={(event) => choose(part, event.target.value)}>
                <option value="">None</option>
                <Options of={header.map((name, index) => [index, name || `Column ${index + 1}`])} />
              </Select>
            </Field>
          )
        })}
      </div>
    </fieldset>
  )
}

const Example = ({ text }: { text: string }) => (
  <span className="figures block truncate text-xs" title={text}>
    {text}
  </span>
)

/** UTC and the time zone of the viewer first. */
function timeZones(): string[] {
  const all = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []
  return [...new Set(['UTC', viewersZone(), ...all])]
}
