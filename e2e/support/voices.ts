import type { APIRequestContext, Page } from '@playwright/test'
import { decodeG711 } from '../../media/g711.ts'
import { join, recognize, signature, silence } from '../../media/tones.ts'
import { asAdmin } from './admin.ts'
import { expect } from './calls.ts'

/** Voices that a listener recognizes, in the browser and in recordings. */

/** A signature with pauses, because browsers remove a steady tone as noise. */
export const speechOf = (number: number): Int16Array =>
  join(...Array.from({ length: 40 }, () => join(signature(number, 400), silence(200))))

/** Keeps the samples that the browser plays to the customer. */
export const listenInBrowser = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    window.heardSamples = []
    const { track } = window.callConnections.at(-1).getReceivers()[0]
    const context = new AudioContext({ sampleRate: 8000 })
    const listener = context.createScriptProcessor(1024, 1, 1)
    listener.onaudioprocess = ({ inputBuffer }) =>
      window.heardSamples.push(...inputBuffer.getChannelData(0).map((sample) => Math.round(sample * 32767)))
    context.createMediaStreamSource(new MediaStream([track])).connect(listener).connect(context.destination)
  }`)

export const heardInBrowser = async (page: Page): Promise<number[]> =>
  recognize(Int16Array.from((await page.evaluate('window.heardSamples')) as number[]))

/** The signatures in both channels of a WAV file with A-law samples. */
function channelsOf(file: Buffer): number[][] {
  const samples = new Uint8Array(file.subarray(file.indexOf('data') + 8))
  return [0, 1].map((channel) =>
    recognize(
      decodeG711(
        samples.filter((_sample, at) => at % 2 === channel),
        'alaw',
      ),
    ),
  )
}

/** The operator allows it. */
export async function allowRecording(
  request: APIRequestContext,
  headers: { authorization: string },
): Promise<void> {
  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  const admin = await asAdmin(request)
  const allowed = await request.put(`/api/admin/users/${user.id}/recording`, {
    headers: admin.headers,
    data: { is_allowed: true },
  })
  expect(allowed.ok()).toBe(true)
}

/** The recordings of a call. */
export async function recordingsOf(
  request: APIRequestContext,
  headers: { authorization: string },
  id: string,
): Promise<{ id: number; is_ready: boolean; cost: number | null; seconds: number }[]> {
  const { sounds } = await (await request.get(`/api/cdr/${id}/sounds`, { headers })).json()
  return sounds.recordings
}

/** The voices in both channels of a recording: the caller on the left, the other side on the right. */
export async function voicesIn(
  request: APIRequestContext,
  headers: { authorization: string },
  recording: { id: number } | undefined,
): Promise<number[][]> {
  const file = await request.get(`/api/recordings/${recording?.id}/audio`, { headers })
  return channelsOf(await file.body())
}
