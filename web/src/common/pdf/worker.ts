import type { PdfTask } from './draw-pdf.ts'
import { drawReceipt } from './receipt.ts'
import { drawReport } from './report.ts'

/** Laying out thousands of rows takes seconds, so it runs in a worker. Receipts share it, so that the PDF library ships once. */
self.onmessage = ({ data }: MessageEvent<PdfTask>) => {
  const drawn = 'rows' in data ? drawReport(data.rows) : drawReceipt(data.receipt)
  self.postMessage(drawn, { transfer: [drawn] })
}
