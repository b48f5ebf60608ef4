import { useState } from 'react'
import type { CsvAddress } from '../../common/download-csv.ts'
import { formatNumber } from '../../common/format/numbers.ts'
import { viewersZone } from '../../common/format/viewer.ts'
import { spanOf, writeDay } from '../../common/period.ts'
import { useExport } from '../../common/use-export.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { RadioCard } from '../../ui/RadioCard.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { type ExportPeriod, exportDays, exportPeriods } from './periods.ts'

type Report = { label: string; hint: string; csv: CsvAddress; file: string; unit: string }

const reports: Record<'payments' | 'calls', Report> = {
  payments: {
    label: 'Payments',
    hint: 'Every payment with its state, the amount paid and the amount refunded.',
    csv: 'GET /api/admin/payments.csv',
    file: 'payments.csv',
    unit: 'payments',
  },
  calls: {
    label: 'Call records',
    hint: 'Calls of all customers with cost, carrier cost and trunk.',
    csv: 'GET /api/admin/cdr.csv',
    file: 'call_records.csv',
    unit: 'calls',
  },
}

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const [which, setWhich] = useState<keyof typeof reports>('payments')
  const [period, setPeriod] = useState<ExportPeriod>('30')
  const [days, setDays] = useState({ from: '', to: '' })
  const { running, begin, cancel } = useExport()
  const { csv, file, unit } = reports[which]
  const isBackwards = period === 'custom' && days.from !== '' && days.to !== '' && days.from > days.to

  const start = () =>
    begin('CSV', undefined, async (watch) => {
      const { downloadCsv } = await import('../../common/download-csv.ts')
      const now = new Date()
      const span = spanOf('custom', exportDays(period, days, now), now)
      await downloadCsv(csv, { ...watch, query: { ...span, timezone: viewersZone() }, fileName: file })
    })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Export Reports"
      description="Downloads a CSV file."
      footer={
        running ? (
          <div className="flex w-full items-center gap-3">
            <p role="status" className="figures mr-auto text-sm">
              {formatNumber(running.rows)} {unit} so far
            </p>
            <Button onClick={cancel}>Cancel</Button>
          </div>
        ) : (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button variant="primary" disabled={isBackwards} onClick={start}>
              Download CSV
            </Button>
          </>
        )
      }
    >
      <fieldset disabled={running !== null} className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium text-sm">Report</legend>
        {Object.entries(reports).map(([name, { label, hint }]) => (
          <RadioCard
            key={name}
            name="report"
            label={label}
            hint={hint}
            checked={which === name}
            onChange={() => setWhich(name as keyof typeof reports)}
          />
        ))}
      </fieldset>
      <fieldset disabled={running !== null} className="mt-5 grid gap-4 sm:grid-cols-2">
        <legend className="sr-only">Period</legend>
        <Field label="Period" className="sm:col-span-2">
          <Select value={period} onChange={(event) => setPeriod(event.target.value as ExportPeriod)}>
            <Options of={Object.entries(exportPeriods)} />
          </Select>
        </Field>
        {period === 'custom' && (
          <>
            <Field label="From">
              <Input
                type="date"
                max={days.to || writeDay(new Date())}
                value={days.from}
                onChange={(event) => setDays({ ...days, from: event.target.value })}
              />
            </Field>
            <Field label="To" error={isBackwards ? 'The end date is before the start date.' : undefined}>
              <Input
                type="date"
                min={days.from}
                max={writeDay(new Date())}
                value={days.to}
                onChange={(event) => setDays({ ...days, to: event.target.value })}
              />
            </Field>
          </>
        )}
      </fieldset>
    </Dialog>
  )
}
