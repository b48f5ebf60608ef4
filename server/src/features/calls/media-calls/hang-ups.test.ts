import type { Conversation } from '@trunkline/media/endpoint'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { interpretAgain } from '../../../../test/flows.ts'
import { forAll } from '../../../../test/lifetime.ts'
import { insertLiveCall } from '../../../../test/live-calls.ts'
import { createMedia, type Media, menuOf, pathOf, queueOf, stepOf } from '../../../../test/media.ts'
import { systemTimers } from '../../../platform/timers.ts'
import { createEndedCalls } from './ended-calls.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  return { media, server: await media.start() }
})

type Made = Parameters<Media['newFlow']>[1]
const phones = { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] } as const

/** Flows whose first step waits, and the moment to hang up. */
const waits: Record<string, (media: Media, userId: number) => Promise<Made>> = {
  play: async (media, userId) => [stepOf('play', 'step', { sound: await media.newSound(userId, 1, 20_000) })],
  'menu that plays': async (media, userId) => [
    menuOf('step', await media.newSound(userId, 1, 20_000), { key_1: 'step' }),
  ],
  'menu that waits': async (media, userId) => [
    menuOf('step', await media.newSound(userId, 1, 20), { key_1: 'step' }, { seconds: 30 }),
  ],
  collect: async (media, userId) => [
    stepOf('collect', 'step', {
      sound: await media.newSound(userId, 1, 20),
      variable: 'x',
      minDigits: 1,
      maxDigits: 5,
      endKey: null,
      repeats: 0,
      seconds: 30,
    }),
  ],
  ring: async () => [stepOf('ring', 'step', { destination: phones })],
  forward: async () => [
    stepOf('forward', 'step', { number: '442079460123', callerId: 'number', seconds: 20 }),
  ],
  queue: async (media, userId) => [queueOf('step', { music: await media.newSound(userId, 1) })],
  'voicemail that greets': async (media, userId) => [
    stepOf('voicemail', 'step', { greeting: await media.newSound(userId, 1, 20_000), maxSeconds: 60 }),
  ],
  'voicemail that records': async (media, userId) => [
    stepOf('voicemail', 'step', { greeting: await media.newSound(userId, 1, 20), maxSeconds: 60 }),
  ],
  record: async (media, userId) => [
    stepOf('record', 'step', { turn: 'on', announcement: await media.newSound(userId, 1, 20_000) }),
  ],
}

describe('a hang-up', () => {
  it.each(Object.keys(waits))('in the step %s ends the call and everything it started', async (kind) => {
    const { media, server } = setup()
    let rings = 0
    let canceled = 0
    media.answerLegs((leg) => {
      rings++
      leg.onCanceled(() => {
        canceled++
      })
    })
    const userId = await media.newUser()
    await media.allowRecording(userId)
    const id = await media.newFlow(userId, (await waits[kind]?.(media, userId)) ?? [])
    const call = await media.call(server, { id, userId })
    await new Promise((resolve) => setTimeout(resolve, 700))
    call.conversation.hangUp()
    const log = await media.ended(call)
    expect(pathOf(log)).toEqual(['step: null', 'ended: caller'])
    await expect.poll(server.liveCalls).toBe(0)
    await expect.poll(() => canceled).toBe(rings)
    const open = { voicemails: await media.voicemails(), recordings: await media.recordings() }
    expect(open).toEqual({ voicemails: [], recordings: [] })
    expect(await media.db.selectFrom('queue_calls').selectAll().execute()).toEqual([])

    const flow = await media.flowOf(id)
    expect(interpretAgain(flow, log)).toEqual(log)
  })
})

describe('a connected call whose BYE is lost', () => {
  it('ends a minute after call control has ended it', async () => {
    const { media } = setup()
    let skippedMs = 0
    const timers = { ...systemTimers, elapsedMs: () => systemTimers.elapsedMs() + skippedMs }
    const server = await media.start({ timers })
    const userId = await media.newUser()
    const id = await media.newFlow(userId, [stepOf('ring', 'ring', { destination: phones })])
    const others: Conversation[] = []
    let ended = 0
    media.answerLegs(async (leg) => {
      const other = await leg.answer()
      others.push(other)
      other.onEnd(() => {
        ended++
      })
    })
    const calls = [
      await media.call(server, { id, userId }),
      await media.call(server, { id, userId }),
    ] as const
    await expect.poll(() => others.length).toBe(2)
    const [over, live] = calls
    await media.db.deleteFrom('live_calls').where('call_id', '=', over.callId).execute()
    await expect
      .poll(() => {
        skippedMs += 30_000
        return over.isOver()
      })
      .toBe(true)
    expect(pathOf(await media.ended(over))).toEqual(['ring: null', 'ended: caller'])
    await expect.poll(() => ended).toBe(1)
    expect(live.isOver()).toBe(false)
    live.conversation.hangUp()
    await media.ended(live)
    await server.close()
  })
})

describe('calls that are over', () => {
  it('are hung up after a minute, and not if they are live again', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const sound = await media.newSound(userId, 5)
    const id = await media.newFlow(userId, [menuOf('menu', sound, { key_1: 'menu' }, { seconds: 60 })])
    const call = await media.call(server, { id, userId })
    let elapsedMs = 0
    const { watch, hangUp } = createEndedCalls({
      db: media.db,
      timers: { elapsedMs: () => elapsedMs },
      logger: pino({ level: 'silent' }),
    })
    const isOverAfter = async (ms: number) => {
      elapsedMs += ms
      await hangUp()
      return call.isOver()
    }
    const end = () => media.db.deleteFrom('live_calls').where('call_id', '=', call.callId).execute()
    watch(call.callId, call.conversation)
    expect(await isOverAfter(120_000)).toBe(false)
    await end()
    expect(await isOverAfter(59_000)).toBe(false)
    expect(await isOverAfter(59_000)).toBe(false)
    await insertLiveCall(media.db, userId, { call_id: call.callId, started_at: new Date() })
    expect(await isOverAfter(59_000)).toBe(false)
    await end()
    expect(await isOverAfter(59_000)).toBe(false)
    expect(await isOverAfter(60_000)).toBe(true)
    await media.ended(call)
  })
})

describe('a media process that stops', () => {
  it('refuses new calls, lets running ones finish, and removes itself', async () => {
    const { media } = setup()
    const server = await media.start({ leaveWithinMs: 20_000 })
    const userId = await media.newUser()
    const sound = await media.newSound(userId, 2)
    const id = await media.newFlow(userId, [
      menuOf('menu', sound, { key_1: 'after' }, { seconds: 30 }),
      stepOf('play', 'after', { sound: await media.newSound(userId, 3) }),
    ])
    const call = await media.call(server, { id, userId })
    await call.hears(2)
    const closing = server.close()
    const row = () =>
      media.db.selectFrom('media_servers').selectAll().where('id', '=', server.media.id).executeTakeFirst()
    await expect.poll(async () => (await row())?.is_leaving).toBe(true)
    expect(await media.place(server, { id, userId })).toBe(503)
    call.conversation.press('1')
    await call.hears(2, 3)
    await closing
    expect(await row()).toBeUndefined()
    expect(pathOf(await media.stepsOf(call.callId))).toEqual(['menu: key_1', 'after: next', 'ended: no_exit'])
  })

  it('ends calls that take too long', async () => {
    const { media } = setup()
    const server = await media.start({ leaveWithinMs: 200 })
    const userId = await media.newUser()
    const id = await media.newFlow(userId, [
      menuOf('menu', await media.newSound(userId, 4), { key_1: 'menu' }, { seconds: 60 }),
    ])
    const call = await media.call(server, { id, userId })
    await call.hears(4)
    await server.close()
    await expect.poll(call.isOver).toBe(true)
    expect((await media.mediaCallOf(call.callId))?.ended_at).not.toBeNull()
  })
})
