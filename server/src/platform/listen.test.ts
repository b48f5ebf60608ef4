import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { asServerOwner, createTestDatabase } from '../../test/database.ts'
import { type ListenOptions, listen } from './listen.ts'

type StartOptions = { through?: (url: string) => string } & Pick<
  ListenOptions,
  'checkEveryMs' | 'answerWithinMs'
>

async function startListening({ through = (url: string) => url, ...options }: StartOptions = {}) {
  const database = await createTestDatabase({ migrated: false })
  const received: string[] = []
  const onListening = vi.fn<() => void>()
  const onError = vi.fn<(error: Error) => void>()
  const listener = listen({
    url: through(database.url),
    onListening,
    onError,
    ...options,
    channels: {
      news: (payload) => received.push(payload),
      'Bad News': () => {
        throw new Error('invalid payload')
      },
    },
  })
  onTestFinished(async () => {
    await listener.close()
    await database.drop()
  })
  const send = async (channel: string, payload: string) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('select pg_notify($1, $2)', [channel, payload])
    await client.end()
  }
  const listening = (times: number) =>
    vi.waitFor(() => expect(onListening).toHaveBeenCalledTimes(times), { timeout: 20_000, interval: 10 })
  const receives = (...payloads: string[]) =>
    vi.waitFor(() => expect(received).toEqual(payloads), { timeout: 20_000, interval: 10 })
  const dropConnections = () =>
    asServerOwner(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`)
  return { database, listener, received, onListening, onError, send, listening, receives, dropConnections }
}

describe('a listener', () => {
  it('receives notifications on its channels', async () => {
    const { listening, send, receives } = await startListening()
    await listening(1)
    await send('news', 'one')
    await send('other', 'not for us')
    await send('news', 'two')
    await receives('one', 'two')
  })

  it('reconnects after a lost connection and reports the gap', async () => {
    const { listening, send, receives, dropConnections, onError } = await startListening()
    await listening(1)
    await dropConnections()
    await listening(2)
    expect(onError).toHaveBeenCalled()
    await send('news', 'after')
    await receives('after')
  })

  it('waits until the database is available', async () => {
    const { database, listening, send, receives, dropConnections } = await startListening()
    await listening(1)
    await asServerOwner(`alter database ${database.name} with allow_connections false`)
    await dropConnections()
    await asServerOwner(`alter database ${database.name} with allow_connections true`)
    await listening(2)
    await send('news', 'back')
    await receives('back')
  })

  it('continues after a notification that its handler rejects', async () => {
    const { listening, send, receives, onError, onListening } = await startListening()
    await listening(1)
    await send('Bad News', 'x')
    await send('news', 'still here')
    await receives('still here')
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'invalid payload' }))
    expect(onListening).toHaveBeenCalledTimes(1)
  })

  it('detects a dead connection', async () => {
    const line = await startProxy()
    const { listening, send, receives } = await startListening({
      through: line.through,
      checkEveryMs: 100,
      answerWithinMs: 5_000,
    })
    await listening(1)
    line.goSilent()
    await listening(2)
    await send('news', 'over the new connection')
    await receives('over the new connection')
  })

  it('makes no callbacks after it is closed, even while connecting', async () => {
    const { listener, listening, send, received, dropConnections, onListening } = await startListening()
    await listening(1)
    await listener.close()
    await send('news', 'too late')
    await dropConnections()
    const early = await startListening()
    await early.listener.close()
    expect(received).toEqual([])
    expect(onListening).toHaveBeenCalledTimes(1)
    expect(early.onListening).not.toHaveBeenCalled()
    expect(early.onError).not.toHaveBeenCalled()
  })
})

/** A proxy between listener and database. It can stop forwarding without closing its connections. */
async function startProxy() {
  const carried = new Set<{ near: Socket; far: Socket }>()
  let target = new URL('tcp://127.0.0.1')
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const pair = { near, far }
    carried.add(pair)
    near.pipe(far)
    far.pipe(near)
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const { near } of carried) near.destroy()
    server.close()
  })
  return {
    through(url: string): string {
      target = new URL(url)
      const changed = new URL(url)
      changed.host = `127.0.0.1:${(server.address() as { port: number }).port}`
      return changed.href
    },
    goSilent() {
      for (const { near, far } of carried) {
        near.unpipe(far)
        far.unpipe(near)
        near.resume()
        far.resume()
      }
    },
  }
}
