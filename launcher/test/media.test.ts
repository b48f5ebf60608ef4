import { encode } from '@trunkline/media/encode'
import { decodeG711 } from '@trunkline/media/g711'
import { startEndpoint } from '@trunkline/media/start-endpoint'
import { join, powerAt, signature } from '@trunkline/media/tones'
import { mediaUser } from '@trunkline/server/features/calls/live-calls/media-address'
import { systemClock } from '@trunkline/server/platform/clock'
import { expect, it, onTestFinished } from 'vitest'
import { insertLiveCall } from '../../server/test/live-calls.ts'
import { trunkline } from './portal-process.ts'
import { createProvider, productionSettings, until } from './provider.ts'

const HOST = '127.0.0.1'
const BEEP_HZ = 1_000
const BLOCK = 320

/** Whether the beep before a message is in the sound. */
function hasBeep(sound: Int16Array): boolean {
  for (let at = 0; at + BLOCK <= sound.length; at += BLOCK) {
    const energy = sound.subarray(at, at + BLOCK).reduce((sum, sample) => sum + sample ** 2, 0)
    if (energy > BLOCK * 1_000 ** 2 && powerAt(sound, at, BLOCK, BEEP_HZ) > 0.9 * energy) return true
  }
  return false
}

it('starts media as a command, which takes a message, refuses calls after SIGTERM and keeps the message', async () => {
  const { data, url, db } = await createProvider()
  const env = {
    ...productionSettings(url, []),
    SWITCHES: `${HOST}:9`,
    MEDIA_NAME: 'm1',
    TRUNKLINE_DATA: data,
  }
  const media = trunkline(['run', 'media'], { env })
  const server = () => db.selectFrom('media_servers').selectAll().where('id', '=', 'm1').executeTakeFirst()
  await until(async () => (await server()) !== undefined)
  const { port } = (await server()) ?? { port: 0 }
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()

  const phone = await startEndpoint({
    host: HOST,
    port: 0,
    isAllowed: () => true,
    onCall: (call) => call.reject(480, 'Temporarily Unavailable'),
  })
  onTestFinished(() => phone.close())
  const place = async (callId: string) => {
    await insertLiveCall(db, userId, { call_id: callId, started_at: systemClock.now(), direction: 'in' })
    const user = mediaUser('voicemail', userId, { callId, switchId: 'sw1' })
    return phone.call({ host: HOST, port, user, username: 'switch', password: '' }).result
  }
  const placed = await place('sw1/first')
  if (placed.type === 'failed') throw new Error(`refused with ${placed.code}`)
  const { conversation } = placed
  const heard: Int16Array[] = []
  conversation.listen((packet) => heard.push(decodeG711(packet, 'alaw')))
  const isOver = new Promise<string>((resolve) => conversation.onEnd(resolve))
  // A key skips the greeting.
  conversation.press('1')
  await until(() => hasBeep(join(...heard)))
  await conversation.play(encode(signature(7, 2_000))).done

  media.child.kill('SIGTERM')
  await until(async () => (await server())?.is_leaving !== false)
  expect(await place('sw1/second')).toMatchObject({ type: 'failed' })
  expect(await isOver).toBe('them')
  expect(await media.ended).toBe(0)
  expect(await server()).toBeUndefined()
  const messages = await db.selectFrom('voicemails').selectAll().execute()
  expect(messages).toMatchObject([{ user_id: userId, call_id: 'sw1/first', state: 'new' }])
  expect(Number(messages[0]?.seconds)).toBeGreaterThan(1)
})
