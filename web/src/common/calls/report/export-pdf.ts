import { CDR_PAGE_MAX } from '@trunkline/contract/limits'
import { viewersZone } from '../../period.ts'
import { saveFile } from '../../save-file.ts'
import type { Watch } from '../../use-export.ts'
import { cellsOf } from './columns.ts'
import { filtersOf, type Selection } from './search.ts'
import type { CallSource } from './source.ts'

const PDF_FILE = 'cdr_report.pdf'

/** Exports the selection, newest first, up to `mostCalls`. */
export async function exportPdf(
  source: CallSource,
  selection: Selection,
  mostCalls: number,
  watch: Watch,
): Promise<{ isCut: boolean }> {
  const { rows, isCut } = await readRows(source, selection, mostCalls, watch)
  watch.onProgress(rows.length, true)
  const drawn = await draw(rows, watch.signal)
  saveFile(new Blob([drawn], { type: 'application/pdf' }), PDF_FILE)
  return { isCut }
}

async function readRows(
  source: CallSource,
  selection: Selection,
  mostCalls: number,
  { signal, onProgress }: Watch,
) {
  // All pages use the same time, so that the period stays the same.
  const filters = { ...filtersOf(selection, new Date()), timezone: viewersZone(), limit: CDR_PAGE_MAX }
  const rows: string[][] = []
  let next: string | null | undefined
  while (next !== null && rows.length < mostCalls) {
    const page = await source.page({ ...filters, ...(next && { cursor: next }) }, signal)
    rows.push(...page.records.map(cellsOf))
    next = page.next
    onProgress(rows.length)
  }
  return { rows, isCut: next !== null }
}

function draw(rows: string[][], signal: AbortSignal): Promise<ArrayBuffer> {
  return new Promise<ArrayBuffer>((resolve, reject) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
    const end = (finish: () => void) => {
      worker.terminate()
      finish()
    }
    worker.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => end(() => resolve(data))
    worker.onerror = () => end(() => reject(new Error('The PDF could not be drawn')))
    signal.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true })
    worker.postMessage(rows)
  })
}
