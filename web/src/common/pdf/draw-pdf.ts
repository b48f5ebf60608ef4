import type { ReceiptSubject } from './receipt.ts'

export type PdfTask = { rows: string[][] } | { receipt: ReceiptSubject }

/** Draws a PDF in a worker, which loads the PDF library. */
export function drawPdf(task: PdfTask, signal?: AbortSignal): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    const end = (finish: () => void) => {
      worker.terminate()
      finish()
    }
    worker.onmessage = ({ data }: MessageEvent<ArrayBuffer>) =>
      end(() => resolve(new Blob([data], { type: 'application/pdf' })))
    worker.onerror = () => end(() => reject(new Error('The PDF could not be drawn')))
    signal?.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true })
    worker.postMessage(task)
  })
}
