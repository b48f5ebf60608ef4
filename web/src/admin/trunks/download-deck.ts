import { ApiError } from '../../app/api.ts'
import { refresh } from '../../app/session.ts'
import { readToken } from '../../app/token.ts'
import { toUrl } from '../../app/url.ts'
import { saveFile } from '../../common/save-file.ts'
import type { ListName } from './search.ts'

/** The whole price list as a file that can be imported again. A link could not send the token. */
export async function downloadDeck({ shelf, id }: ListName): Promise<void> {
  const address = shelf === 'trunk' ? 'GET /api/trunks/:id/rates.csv' : 'GET /api/routes/:id/rates.csv'
  const { url } = toUrl(address, { params: { id } })
  const response = await fetch(url, { headers: { authorization: `Bearer ${readToken()}` } })
  if (!response.ok) {
    // Whoever has been signed out meanwhile learns it the way every other screen tells it.
    if (response.status === 401) await refresh().catch(() => {})
    const answer = await response.json().catch(() => undefined)
    throw new ApiError(answer?.error?.message ?? '', { status: response.status })
  }
  saveFile(await response.blob(), `${shelf}-${id}-rates.csv`)
}
