import { CDR_PAGE_MAX } from '@trunkline/contract/limits'
import { viewersZone } from '../../format/viewer.ts'
import { drawPdf } from '../../pdf/draw-pdf.ts'
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
  saveFile(await drawPdf({ rows }, watch.signal), PDF_FILE)
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
