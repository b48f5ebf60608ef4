import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { asServerOwner } from '../../../../test/database.ts'
import { addressOf, openStream, pictureOf } from '../../../../test/event-stream.ts'
import { createPhones, systemOwner, untilListening } from '../../../../test/live-calls.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { createAnnouncer } from './announcer.ts'
import { listLiveCalls } from './store.ts'
import { createLiveStreams } from './streams.ts'

async function createScene() {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  await untilListening(portal)
  return { portal, alice, phones: createPhones(portal), streams: portal.services.liveStreams }
}

/** Alice watches her calls. */
async function createViewed() {
  const scene = await createScene()
  return { ...scene, own: await openStream(scene.portal, scene.alice.token) }
}

describe('an unannounced change', () => {
  it('is found by the comparison with the table, and sent once', async () => {
    const { alice, phones, streams, own } = await createViewed()
    await own.sees('snapshot')
    const call = await phones.silently.begin(alice.id)
    await streams.compare()
    await phones.silently.ring(call)
    await streams.compare()
    await phones.silently.answer(call)
    await streams.compare()
    await streams.compare()
    await phones.silently.end(call)
    await streams.compare()
    await own.sees('snapshot', 'calling', 'ringing', 'answered', 'ended')
    // Only the end is known; the record has the details.
    expect(own.events()[4]?.data).toEqual({
      uniqueid: call,
      status: null,
      reason: null,
      seconds: null,
      cost: null,
    })
  })

  it('is found after the LISTEN connection was lost', async () => {
    const { portal, alice, phones, own } = await createViewed()
    const ended = await phones.begin(alice.id)
    await own.about('calling', ended)
    await phones.silently.end(ended)
    const begun = await phones.silently.begin(alice.id)
    await asServerOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${portal.database.name}' and application_name = 'trunkline listener'`)
    await own.about('calling', begun)
    await own.about('ended', ended)
    await phones.answer(begun)
    await own.about('answered', begun)
  })
})

describe('notifications', () => {
  it('that are late, repeated or out of order change nothing', async () => {
    const { portal, alice, phones } = await createScene()
    const { announcer, db } = portal.services
    const own = await openStream(portal, alice.token)
    const call = await phones.begin(alice.id)
    const asCalling = await listLiveCalls(db, systemOwner, {})
    await phones.answer(call)
    announcer.announce(asCalling.map((late) => ({ change: 'live', call: late })))
    await phones.announce(call)
    await phones.end(call)
    announcer.announce(asCalling.map((late) => ({ change: 'live', call: late })))
    const next = await phones.begin(alice.id)
    await own.about('calling', next)
    expect(own.names()).toEqual(['snapshot', 'calling', 'answered', 'ended', 'calling'])
    expect([...pictureOf(own.events()).keys()]).toEqual([next])
  })

  it('that are malformed are ignored', async () => {
    const { alice, phones, own } = await createViewed()
    for (const payload of ['', '1 [', '1 {}', '1 [null]', '2 [{"change":"live"}]']) await phones.say(payload)
    const call = await phones.begin(alice.id)
    await own.about('calling', call)
    expect(own.names()).toEqual(['snapshot', 'calling'])
  })

  it('are dropped while the database is down, and sent again afterwards', async () => {
    const { portal, alice, phones } = await createScene()
    const failures: unknown[] = []
    const announcer = createAnnouncer(portal.services.db, (error) => failures.push(error))
    const call = await phones.silently.begin(alice.id)
    const live = await listLiveCalls(portal.services.db, systemOwner, {})
    const changes = live.map((one) => ({ change: 'live' as const, call: one }))
    await asServerOwner(`alter database ${portal.database.name} with allow_connections false`)
    await asServerOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${portal.database.name}'`,
    )
    announcer.announce(changes)
    await announcer.settled()
    expect(failures).toHaveLength(1)
    await asServerOwner(`alter database ${portal.database.name} with allow_connections true`)
    const own = await openStream(portal, alice.token)
    announcer.announce(changes)
    await announcer.settled()
    expect(failures).toHaveLength(1)
    await expect.poll(() => [...pictureOf(own.events()).keys()]).toEqual([call])
  })
})

describe('a reconnecting viewer', () => {
  it.each([['header', 'lastEventId'] as const, ['query', 'after'] as const])(
    'resumes by %s with exactly the missed events',
    async (_name, way) => {
      const { portal, alice, phones, own: first } = await createViewed()
      const call = await phones.begin(alice.id)
      await first.about('calling', call)
      await first.leave()
      await phones.ring(call)
      await phones.answer(call)
      const watcher = await openStream(portal, alice.token)
      const other = await phones.begin(alice.id)
      await watcher.about('calling', other)
      const resumed = await openStream(portal, alice.token, { [way]: first.lastId() })
      await resumed.sees('ringing', 'answered', 'calling')
      const picture = pictureOf([...first.events(), ...resumed.events()])
      expect([...picture.values()].map(({ state }) => state)).toEqual(['answered', 'calling'])
      // Without missed events the stream is open and continues.
      const again = await openStream(portal, alice.token, { [way]: resumed.lastId() })
      await phones.end(other)
      await again.sees('ended')
    },
  )

  it('gets a snapshot when it missed more events than are kept', async () => {
    const { portal, alice, phones, own: first } = await createViewed()
    await first.sees('snapshot')
    await first.leave()
    const calls: string[] = []
    for (let index = 0; index < 70; index++) calls.push(await phones.begin(alice.id))
    const watcher = await openStream(portal, alice.token)
    await expect.poll(() => pictureOf(watcher.events()).size).toBe(70)
    const resumed = await openStream(portal, alice.token, { after: first.lastId() })
    await resumed.sees('snapshot')
    expect(pictureOf(resumed.events()).size).toBe(70)
  })

  it('gets a snapshot after a long absence, on another server, and with an invalid ID', async () => {
    const { portal, alice, phones, streams, own: first } = await createViewed()
    const call = await phones.begin(alice.id)
    await first.about('calling', call)
    await first.leave()
    await expect.poll(() => streams.viewers()).toBe(0)
    streams.tick()
    portal.clock.advance(2 * MINUTE)
    streams.tick()
    for (const after of [first.lastId(), 'x', 'a.b.c', `${first.lastId()}0000`, '.1', '9'.repeat(90)]) {
      const resumed = await openStream(portal, alice.token, { after })
      await resumed.sees('snapshot')
      expect([...pictureOf(resumed.events()).keys()]).toEqual([call])
      await resumed.leave()
    }
  })
})

describe('several servers', () => {
  it('show the same calls, whichever server announced them', async () => {
    const { portal, alice, phones } = await createScene()
    const { db, sessions } = portal.services
    const other = createLiveStreams({
      db,
      sessions,
      clock: portal.clock,
      databaseUrl: portal.database.url,
      onError: () => {},
    })
    other.start()
    try {
      const source = await other.openOwn({ userId: alice.id, isAdmin: false }, alice.token, undefined)
      let raw = ''
      source.on('data', (chunk) => {
        raw += chunk
      })
      const own = await openStream(portal, alice.token)
      const call = await phones.begin(alice.id)
      await own.about('calling', call)
      await other.compare()
      await expect.poll(() => raw).toContain(`"uniqueid":"${call}"`)
    } finally {
      await other.close()
    }
  })
})

it('disconnects a viewer who does not read, and the others get all events', async () => {
  const { portal, alice, phones, streams } = await createScene()
  const url = new URL(await addressOf(portal))
  const idle = connect(Number(url.port), url.hostname)
  idle.on('error', () => {})
  idle.pause()
  idle.write(`GET /api/live-calls/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n\r\n`)
  const own = await openStream(portal, alice.token)
  await expect.poll(() => streams.viewers()).toBe(2)
  // The running costs of many calls fill the buffer quickly.
  for (let index = 0; index < 300; index++)
    await phones.silently.begin(alice.id, {
      call_id: `sw1/${'x'.repeat(180)}${index}`,
      state: 'answered',
      answered_at: portal.clock.now(),
    })
  await streams.compare()
  for (let ticks = 0; streams.viewers() > 1 && ticks < 2_000; ticks++) {
    streams.tick()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(streams.viewers()).toBe(1)
  const last = await phones.begin(alice.id)
  await own.about('calling', last)
  idle.destroy()
})

it('ends all streams when the server stops', async () => {
  const { portal, alice } = await createScene()
  const own = await openStream(portal, alice.token)
  await own.sees('snapshot')
  await portal.api.close()
  await own.over()
})
