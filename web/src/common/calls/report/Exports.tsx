import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { ExportProgress } from '../../ExportProgress.tsx'
import { formatNumber } from '../../format/numbers.ts'
import { viewersZone } from '../../format/viewer.ts'
import { useExport } from '../../use-export.ts'
import { totalsQuery } from './queries.ts'
import { filtersOf, type Selection } from './search.ts'
import { useCallSource } from './source.ts'

const CSV_FILE = 'cdr_report.csv'

/** About 200 pages. */
const PDF_MOST_CALLS = 10_000

/** Exports the selection, with progress and a cancel button. */
export function Exports({ selection }: { selection: Selection }) {
  const source = useCallSource()
  const { data: totals } = useQuery(totalsQuery(source, selection))
  const { running, begin, cancel } = useExport()
  const calls = totals?.is_capped ? undefined : totals?.calls

  const pdf = () =>
    begin('PDF', calls === undefined ? undefined : Math.min(calls, PDF_MOST_CALLS), async (watch) => {
      const { exportPdf } = await import('./export-pdf.ts')
      const { isCut } = await exportPdf(source, selection, PDF_MOST_CALLS, watch)
      if (isCut)
        toast.info(
          `The PDF holds the newest ${formatNumber(PDF_MOST_CALLS)} calls. The CSV holds all of them.`,
        )
    })
  const csv = () =>
    begin('CSV', calls, async (watch) => {
      const { downloadCsv } = await import('../../download-csv.ts')
      const query = { ...filtersOf(selection, new Date()), timezone: viewersZone() }
      await downloadCsv(source.csv, { ...watch, query, fileName: CSV_FILE })
    })

  return (
    <>
      <Button disabled={running !== null} onClick={pdf}>
        <Download aria-hidden />
        Export
        <span className="font-mono text-muted text-xs">PDF</span>
      </Button>
      <Button disabled={running !== null} onClick={csv}>
        <Download aria-hidden />
        <span className="font-mono text-sm">CSV</span>
      </Button>
      {running && <ExportProgress of="calls" running={running} onCancel={cancel} />}
    </>
  )
}
