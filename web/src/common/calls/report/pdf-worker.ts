import { drawReport } from './pdf.ts'

/** Thousands of rows take seconds to lay out: done here, the page goes on answering meanwhile. */
self.onmessage = ({ data }: MessageEvent<string[][]>) => {
  const drawn = drawReport(data)
  self.postMessage(drawn, { transfer: [drawn] })
}
