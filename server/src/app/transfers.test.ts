import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SOUND_BODY_BYTES_MAX } from '@trunkline/contract/limits'
import { writeWav } from '@trunkline/media/wav'
import { expect, it } from 'vitest'
import { addressOf } from '../../test/event-stream.ts'
import { atEnd } from '../../test/lifetime.ts'
import type { SignedIn } from '../../test/portal.ts'
import { createSoundShop } from '../../test/sounds.ts'

const samples = Int16Array.from({ length: 8_000 }, (_, at) => (at % 18 < 9 ? 8_000 : -8_000))
const wav = writeWav([samples], 8_000).toString('base64')

async function setup() {
  const shop = await createSoundShop()
  const port = Number(new URL(await addressOf(shop)).port)

  /** Sends a request, waits for the first bytes of the answer and then stops reading. */
  async function begin(path: string, { token }: SignedIn, headers: readonly string[] = []) {
    const socket: Socket = connect(port, '127.0.0.1')
    const request = { socket, status: 0 }
    atEnd(async () => void socket.destroy())
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      request.status = Number(chunk.toString('latin1').split(' ')[1])
      socket.pause()
    })
    await once(socket, 'connect')
    socket.write(
      [`${path} HTTP/1.1`, 'Host: portal', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n'),
    )
    return request
  }

  return {
    ...shop,
    begin,
    /** Minutes of sound do not fit into the buffers of the kernel. */
    addRecording: async (who: SignedIn, seconds: number) =>
      `/api/recordings/${await shop.record(who, { seconds })}/audio`,
    /** Sends all but the last byte. */
    async beginUpload(who: SignedIn, name: string) {
      const body = JSON.stringify({ name, origin: 'upload', wav })
      const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      const upload = await begin('POST /api/sounds', who, headers)
      upload.socket.write(body.slice(0, -1))
      return Object.assign(upload, { complete: () => upload.socket.write(body.slice(-1)) })
    },
    upload: async ({ token }: SignedIn, name: string) =>
      (await shop.call('POST /api/sounds', { token, body: { name, origin: 'upload', wav } })).status,
  }
}

const statusesOf = (requests: readonly { status: number }[]) => {
  const count = (status: number) => requests.filter((request) => request.status === status).length
  return { served: count(200), refused: count(429), waiting: count(0) }
}

it('keeps four unread files of a user in memory, lets 16 wait and refuses more', async () => {
  const { alice, paula, begin, addRecording, download } = await setup()
  const path = await addRecording(alice, 300)
  const ofPaula = await addRecording(paula, 1)
  const requests = await Promise.all(Array.from({ length: 21 }, () => begin(`GET ${path}`, alice)))
  await expect.poll(() => statusesOf(requests)).toEqual({ served: 4, refused: 1, waiting: 16 })
  expect((await download(ofPaula, paula)).statusCode).toBe(200)
  requests.find(({ status }) => status === 200)?.socket.destroy()
  await expect.poll(() => statusesOf(requests)).toEqual({ served: 5, refused: 1, waiting: 15 })
  for (const { socket } of requests) socket.destroy()
  expect((await download(path, alice)).statusCode).toBe(200)
})

it('reads two large uploads of a user at once, lets 16 wait and refuses more', async () => {
  const { alice, paula, beginUpload, upload } = await setup()
  const uploads = await Promise.all(Array.from({ length: 19 }, (_, at) => beginUpload(alice, `Sound ${at}`)))
  await expect.poll(() => statusesOf(uploads)).toEqual({ served: 0, refused: 1, waiting: 18 })
  expect(await upload(paula, 'Hello')).toBe(200)
  for (const { complete } of uploads) complete()
  await expect.poll(() => statusesOf(uploads)).toEqual({ served: 18, refused: 1, waiting: 0 })
})

it('gives the turn of an unfinished upload to the next one when its connection is lost', async () => {
  const { alice, beginUpload, upload } = await setup()
  const uploads = await Promise.all([beginUpload(alice, 'First'), beginUpload(alice, 'Second')])
  for (const { socket } of uploads) socket.resetAndDestroy()
  expect(await upload(alice, 'Third')).toBe(200)
})

it('closes a connection whose client stops reading an answer for 30 seconds, but no event stream', async () => {
  const { api, alice, begin, addRecording } = await setup()
  const accepted: Socket[] = []
  api.server.on('connection', (socket) => accepted.push(socket))
  const file = await begin(`GET ${await addRecording(alice, 300)}`, alice)
  const stream = await begin('GET /api/live-calls/stream', alice)
  await expect.poll(() => [file.status, stream.status]).toEqual([200, 200])
  const [ofFile, ofStream] = accepted
  expect([ofFile?.timeout, ofStream?.timeout ?? 0]).toEqual([30_000, 0])
  ofFile?.emit('timeout')
  await expect.poll(() => ofFile?.destroyed).toBe(true)
})

it('refuses a body that is longer than base64 of the longest sound', async () => {
  const { alice, begin } = await setup()
  const headers = ['Content-Type: application/json', `Content-Length: ${SOUND_BODY_BYTES_MAX + 1}`]
  const upload = await begin('POST /api/sounds', alice, headers)
  await expect.poll(() => upload.status).toBe(413)
})
