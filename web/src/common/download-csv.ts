import { ApiError } from '../app/api.ts'
import { refresh } from '../app/session.ts'
import { readToken } from '../app/token.ts'
import { toUrl } from '../app/url.ts'
import { saveFile } from './save-file.ts'

export type CsvAddress = `GET /api/${string}.csv`

export type Download = {
  params?: Record<string, string | number> | undefined
  query: Record<string, unknown>
  fileName: string
  signal: AbortSignal
  /** Number of rows received so far. */
  onProgress: (rows: number) => void
}

/** Streams the response into a Blob, because a link cannot send the token. Browsers keep large Blobs on disk. */
export async function downloadCsv(
  address: CsvAddress,
  { params = {}, query, fileName, signal, onProgress }: Download,
): Promise<void> {
  const { url } = toUrl(address, { params, query })
  const response = await fetch(url, { headers: { authorization: `Bearer ${readToken()}` }, signal })
  if (!response.ok || !response.body) throw await refusalOf(response)
  const counted = response.body.pipeThrough(countLines((lines) => onProgress(Math.max(0, lines - 1))))
  const content = await new Response(counted, { headers: { 'content-type': 'text/csv' } }).blob()
  saveFile(content, fileName)
}

export async function refusalOf(response: Response): Promise<ApiError> {
  // Refreshes the session, which handles an expired token.
  if (response.status === 401) await refresh().catch(() => {})
  const answer = await response.json().catch(() => undefined)
  return new ApiError(answer?.error?.message ?? '', { status: response.status })
}

const NEWLINE = 10

/** Passes chunks through and counts lines. */
export function countLines(onCount: (lines: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let lines = 0
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) if (byte === NEWLINE) lines += 1
      onCount(lines)
      controller.enqueue(chunk)
    },
  })
}
