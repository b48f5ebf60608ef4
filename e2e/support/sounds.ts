import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { loadConfig } from '@trunkline/server/app/config'
import { createServices, type Services } from '@trunkline/server/app/services'
import { systemClock } from '@trunkline/server/platform/clock'
import { findRunningPostgres } from '@trunkline/server/platform/embedded-postgres'
import { pino } from 'pino'
import { bearerOf } from './payments.ts'
import type { Person } from './story.ts'

/** Messages and recordings, written with the services of the media process and a tone instead of speech. */

let opened: Promise<Services> | undefined

export function services(): Promise<Services> {
  opened ??= open()
  return opened
}

async function open(): Promise<Services> {
  const data = process.env.TRUNKLINE_STORY_DATA ?? ''
  const url = await findRunningPostgres(join(data, 'database'))
  if (url === null) throw new Error('the database of the stories is not running')
  return createServices(
    loadConfig({ DATABASE_URL: url, TRUNKLINE_DATA: data }),
    systemClock,
    pino({ level: 'silent' }),
  )
}

/** A-law samples: 400 Hz that grow and fade every second. */
function tone(seconds: number, channels: 1 | 2): Uint8Array {
  const samples = new Uint8Array(seconds * 8_000 * channels)
  for (let at = 0; at < seconds * 8_000; at++) {
    const loud = Math.floor(Math.abs(Math.sin((at / 8_000) * Math.PI)) * 100)
    const sign = at % 20 < 10 ? 0x80 : 0
    for (let channel = 0; channel < channels; channel++)
      samples[at * channels + channel] = (sign | (channel === 0 ? loud : 100 - loud)) ^ 0x55
  }
  return samples
}

export async function idOf(request: APIRequestContext, who: Person): Promise<number> {
  const answer = await request.get('/api/auth/me', { headers: await bearerOf(request, who) })
  const { user } = await answer.json()
  return user.id
}

type Message = { seconds?: number; caller?: string; name?: string; callId?: string }

export async function leaveMessage(
  request: APIRequestContext,
  who: Person,
  { seconds = 3, caller = '4930123456', name = 'Berlin office', callId = 'story' }: Message = {},
): Promise<void> {
  const { voicemailWriting } = await services()
  const writer = await voicemailWriting.begin({
    userId: await idOf(request, who),
    callId,
    number: '442079460001',
    caller,
    callerName: name,
    mediaId: 'story',
  })
  writer.append(tone(seconds, 1))
  await writer.finish()
}

export async function recordCall(
  request: APIRequestContext,
  who: Person,
  callId: string,
  seconds = 4,
): Promise<void> {
  const { recordingWriting } = await services()
  const writer = await recordingWriting.begin({ userId: await idOf(request, who), callId, mediaId: 'story' })
  if (!writer) throw new Error('the balance does not cover the recording')
  writer.append(tone(seconds, 2))
  await writer.finish()
}

/** Ends the connections, so that the runner can exit. */
export async function closeSounds(): Promise<void> {
  await (await opened)?.close()
  opened = undefined
}
