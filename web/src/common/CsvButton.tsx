import { Download as DownloadSign } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { type CsvAddress, type Download, downloadCsv } from './download-csv.ts'
import { ExportProgress } from './ExportProgress.tsx'
import { useExport } from './use-export.ts'

type CsvButtonProps = Pick<Download, 'params' | 'query' | 'fileName'> & {
  address: CsvAddress
  /** Name of the rows, such as 'payments'. */
  of: string
}

/** Downloads the selection as CSV, with progress and a cancel button. */
export function CsvButton({ address, of, ...asked }: CsvButtonProps) {
  const { running, begin, cancel } = useExport()
  return (
    <>
      <Button
        disabled={running !== null}
        onClick={() => begin('CSV', undefined, (watch) => downloadCsv(address, { ...asked, ...watch }))}
      >
        <DownloadSign aria-hidden />
        Export
        <span className="font-mono text-muted text-xs">CSV</span>
      </Button>
      {running && <ExportProgress of={of} running={running} onCancel={cancel} />}
    </>
  )
}
