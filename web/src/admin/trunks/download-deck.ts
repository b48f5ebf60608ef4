import { ApiError } from '../../app/api.ts'
import { refresh } from '../../app/session.ts'
import { readToken } from '../../app/token.ts'
import { toUrl } from '../../app/url.ts'
import { saveFile } from '../../common/save-file.ts'
import type { ListName } from './search.ts'

/** Downloads with fetch, because a link cannot send the token. */
export async function downloadDeck({ shelf, id }: ListName): Promise<void> {
  const address = shelf === 'trunk' ? 'GET /api/trunks/:id/rates.csv' : 'GET /api/routes/:id/rates.csv'
  const { url } = toUrl(address, { params: { id } })
  const response = await fetch(url, { headers: { authorization: `Bearer ${readToken()}` } })
  if (!response.ok) {
    // An expired session is handled as on every other screen.
    if (response.status === 401) await refresh().catch(() => {})
    const answer = await response.json().catch(() => undefined)
    throw new ApiError(answer?.error?.message ?? '', { status: response.status })
  }
  saveFile(await response.blob(), `${shelf}-${id}-rates.csv`)
}
