import { drawReport } from './pdf.ts'

/** Laying out thousands of rows takes seconds, so it runs in a worker. */
self.onmessage = ({ data }: MessageEvent<string[][]>) => {
  const drawn = drawReport(data)
  self.postMessage(drawn, { transfer: [drawn] })
}
