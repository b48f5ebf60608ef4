import { encode } from '@trunkline/media/encode'
import type { Conversation, IncomingCall } from '@trunkline/media/endpoint'
import { signature } from '@trunkline/media/tones'
import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createMedia, type Media, menuOf, pathOf, queueOf, recorded, stepOf } from '../../../../test/media.ts'
import { HOUR, later } from '../../../platform/clock.ts'
import { tokenOfLeg } from '../live-calls/media-address.ts'
import { keepMedia, registerMedia, removeMedia } from './servers-store.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  return { media, server: await media.start() }
})

const phones = { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] } as const

/** A flow that rings and plays a sound per exit. */
async function newRingingFlow() {
  const { media, server } = setup()
  const userId = await media.newUser()
  const id = await media.newFlow(userId, [
    stepOf('ring', 'ring', { destination: phones }, { no_answer: 'nobody', busy: 'busy', failed: 'failed' }),
    stepOf('play', 'nobody', { sound: await media.newSound(userId, 1) }),
    stepOf('play', 'busy', { sound: await media.newSound(userId, 2) }),
    stepOf('play', 'failed', { sound: await media.newSound(userId, 3) }),
  ])
  return { media, server, userId, id }
}

describe('a leg of a flow', () => {
  it.each([
    [480, 'no_answer', 1],
    [408, 'no_answer', 1],
    [486, 'busy', 2],
    [603, 'busy', 2],
    [403, 'failed', 3],
    [503, 'failed', 3],
  ])('refused with %s leaves by %s', async (code, exit, played) => {
    const { media, server, userId, id } = await newRingingFlow()
    media.answerLegs((leg) => leg.reject(code, 'Some Reason'))
    const call = await media.call(server, { id, userId })
    const log = await media.ended(call)
    expect(pathOf(log)[0]).toBe(`ring: ${exit}`)
    expect(log).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({ type: 'leg', reason: `${code} Some Reason` }),
      }),
    )
    await call.hears(played)
  })

  it('connects both sides, and ends when the other side hangs up', async () => {
    const { media, server, userId, id } = await newRingingFlow()
    const legs: { leg: IncomingCall; destination: unknown; conversation: Conversation }[] = []
    media.answerLegs(async (leg) => {
      const row = await media.db
        .selectFrom('media_legs')
        .selectAll()
        .where('token', '=', tokenOfLeg(leg.user) ?? '')
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({ user_id: userId, media_id: server.media.id })
      const conversation = await leg.answer()
      legs.push({ leg, destination: row.destination, conversation })
      conversation.play(encode(signature(20, 1_000)))
    })
    const call = await media.call(server, { id, userId })
    await expect.poll(() => legs.length).toBe(1)
    const [answered] = legs
    if (!answered) throw new Error('no leg')
    expect(answered.destination).toEqual(phones)
    expect(answered.leg.from.user).toBe(`media~${server.media.id}`)
    const heardThere = recorded(answered.conversation)
    await call.hears(20)
    call.conversation.play(encode(signature(21, 1_000)))
    await expect.poll(heardThere).toEqual([21])
    answered.conversation.hangUp()
    const log = await media.ended(call)
    expect(pathOf(log)).toEqual(['ring: null', 'ended: conversation'])
    await expect.poll(call.isOver).toBe(true)
  })

  it('ends when the caller hangs up, while it rings and while both talk', async () => {
    const { media, server, userId, id } = await newRingingFlow()
    let isCanceled = false
    let rings = 0
    media.answerLegs((leg) => {
      rings++
      leg.onCanceled(() => {
        isCanceled = true
      })
    })
    const ringing = await media.call(server, { id, userId })
    await expect.poll(() => rings).toBe(1)
    ringing.conversation.hangUp()
    await expect.poll(() => isCanceled).toBe(true)
    expect(pathOf(await media.ended(ringing))).toEqual(['ring: null', 'ended: caller'])

    let isOver = false
    media.answerLegs(async (leg) => {
      rings++
      ;(await leg.answer()).onEnd(() => {
        isOver = true
      })
    })
    const talking = await media.call(server, { id, userId })
    await expect
      .poll(async () => (await media.stepsOf(talking.callId)).filter(({ type }) => type === 'event').length)
      .toBe(2)
    talking.conversation.hangUp()
    await expect.poll(() => isOver).toBe(true)
    expect(pathOf(await media.ended(talking))).toEqual(['ring: null', 'ended: caller'])
  })

  it('forwards to a number from a variable', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const id = await media.newFlow(userId, [
      stepOf('set', 'set', { variable: 'to', value: '4930901820' }, { next: 'forward' }),
      stepOf(
        'forward',
        'forward',
        { number: '{{to}}', callerId: 'caller', seconds: 20 },
        { failed: 'failed' },
      ),
      menuOf('failed', await media.newSound(userId, 4), { key_1: 'failed' }),
    ])
    let destination: unknown
    media.answerLegs(async (leg) => {
      const row = await media.db
        .selectFrom('media_legs')
        .select('destination')
        .where('token', '=', tokenOfLeg(leg.user) ?? '')
        .executeTakeFirstOrThrow()
      destination = row.destination
      leg.reject(402, 'Payment Required')
    })
    const call = await media.call(server, { id, userId })
    await call.hears(4)
    expect(destination).toEqual({ kind: 'number', number: '4930901820', callerId: 'caller', seconds: 20 })
    call.conversation.hangUp()
    expect(pathOf(await media.ended(call))).toContain('forward: failed')
  })
})

const positionsOf = async (media: Media, callId: string) =>
  (await media.stepsOf(callId)).flatMap((entry) =>
    entry.type === 'event' && entry.event.type === 'queue' ? [entry.event.position] : [],
  )

describe('a queue', () => {
  it('rings for the first caller only, in order of arrival across processes, and tells positions', async () => {
    const { media, server } = setup()
    const second = await media.start()
    const userId = await media.newUser()
    const music = await media.newSound(userId, 5)
    const id = await media.newFlow(userId, [
      queueOf('queue', { music, announcesPosition: true, maxWaiting: 2 }, { full: 'full' }),
      stepOf('play', 'full', { sound: await media.newSound(userId, 6) }),
    ])
    const legs: { parent: string; leg: IncomingCall }[] = []
    media.answerLegs(async (leg) => {
      const { parent_call_id } = await media.db
        .selectFrom('media_legs')
        .select('parent_call_id')
        .where('token', '=', tokenOfLeg(leg.user) ?? '')
        .executeTakeFirstOrThrow()
      legs.push({ parent: parent_call_id, leg })
    })
    const one = await media.call(server, { id, userId })
    await expect.poll(() => legs.map(({ parent }) => parent)).toEqual([one.callId])
    const two = await media.call(second, { id, userId })
    await expect.poll(() => positionsOf(media, two.callId)).toEqual([2])
    const three = await media.call(server, { id, userId })
    await three.hears(6)
    expect(pathOf(await media.ended(three))[0]).toBe('queue: full')
    expect(legs).toHaveLength(1)
    await legs[0]?.leg.answer()
    await expect.poll(() => positionsOf(media, two.callId)).toEqual([2, 1])
    await expect.poll(() => legs.map(({ parent }) => parent)).toEqual([one.callId, two.callId])
    two.conversation.hangUp()
    one.conversation.hangUp()
    await media.ended(one)
    await media.ended(two)
    expect(await media.db.selectFrom('queue_calls').selectAll().where('flow_id', '=', id).execute()).toEqual(
      [],
    )
    await second.close()
  })

  it('leaves the second of two queues in a row when a phone answers', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const queue = {
      music: await media.newSound(userId, 8),
      announcesPosition: false,
      devices: 'all',
      ringSeconds: 20,
      maxWaiting: 5,
    } as const
    const id = await media.newFlow(userId, [
      stepOf('queue', 'one', { ...queue, maxSeconds: 1 }, { timeout: 'two' }),
      stepOf('queue', 'two', { ...queue, maxSeconds: 60 }),
    ])
    const rung: string[] = []
    const answered: Conversation[] = []
    media.answerLegs(async (leg) => {
      const { parent_call_id } = await media.db
        .selectFrom('media_legs')
        .select('parent_call_id')
        .where('token', '=', tokenOfLeg(leg.user) ?? '')
        .executeTakeFirstOrThrow()
      rung.push(parent_call_id)
      // The first leg rings for the first queue.
      if (rung.length > 1) answered.push(await leg.answer())
    })
    const queued = () =>
      media.db.selectFrom('queue_calls').select('call_id').where('flow_id', '=', id).execute()
    const first = await media.call(server, { id, userId })
    await expect.poll(() => answered.length).toBe(1)
    await expect.poll(queued).toEqual([])
    const second = await media.call(server, { id, userId })
    await expect.poll(() => rung.at(-1)).toBe(second.callId)
    first.conversation.hangUp()
    second.conversation.hangUp()
    await media.ended(first)
    await media.ended(second)
    expect(await queued()).toEqual([])
  })

  it('forgets callers of a process that was killed', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const id = await media.newFlow(userId, [queueOf('queue', { music: await media.newSound(userId, 7) })])
    const now = new Date()
    const lost = { user_id: userId, kind: 'flow' as const, media_id: 'killed', flow_version_id: null }
    const killed = { id: 'killed', startedAt: now }
    const address = { host: '127.0.0.1', port: 1, password: '', copiesAudio: false }
    await registerMedia(media.db, killed, address)
    // No other process judges it to be gone before it is removed.
    await keepMedia(media.db, killed, { liveCalls: 1, now: later(now, HOUR) })
    await media.db
      .insertInto('media_calls')
      .values({ ...lost, call_id: 'sw1/lost', media_started_at: now, started_at: now, ended_at: null })
      .execute()
    await media.db
      .insertInto('queue_calls')
      .values({ call_id: 'sw1/lost', flow_id: id, step_id: 'queue', entered_at: now })
      .execute()
    let rings = 0
    media.answerLegs(() => {
      rings++
    })
    const call = await media.call(server, { id, userId })
    await expect.poll(() => positionsOf(media, call.callId)).toEqual([2])
    expect(rings).toBe(0)
    await removeMedia(media.db, killed)
    await expect.poll(() => rings).toBe(1)
    await expect.poll(() => positionsOf(media, call.callId)).toEqual([2, 1])
    expect((await media.mediaCallOf('sw1/lost'))?.ended_at).not.toBeNull()
    call.conversation.hangUp()
    await media.ended(call)
  })
})
