import { readToken } from '../../app/token.ts'
import { toUrl } from '../../app/url.ts'
import { refusalOf } from '../download-csv.ts'

export type SoundAddress = `GET /api/${string}` | 'POST /api/speech'

type SoundRequest = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: object
  signal?: AbortSignal
}

/** Fetches a sound with the token, which an audio element cannot send. */
export async function fetchSound(
  address: SoundAddress,
  { params = {}, query = {}, body, signal }: SoundRequest,
): Promise<Blob> {
  const { method, url } = toUrl(address, { params, query })
  const headers: Record<string, string> = { authorization: `Bearer ${readToken()}` }
  if (body) headers['content-type'] = 'application/json'
  const response = await fetch(url, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
    signal: signal ?? null,
  })
  if (!response.ok) throw await refusalOf(response)
  return response.blob()
}
