import type { IncomingCall } from '@trunkline/media/endpoint'
import { expect, it } from 'vitest'
import { rentNumber } from '../../../../test/incoming.ts'
import { forAll } from '../../../../test/lifetime.ts'
import { createMedia, recorded, SPOKEN } from '../../../../test/media.ts'
import { systemClock } from '../../../platform/clock.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  const now = systemClock.now()
  const seen = { software: 'test', started_at: now, last_seen_at: now }
  const sip_address = `127.0.0.1:${media.switchPort}`
  await media.db
    .insertInto('switches')
    .values([
      { switch_id: 'sw1', ...seen, sip_address },
      { switch_id: 'simulated', ...seen },
    ])
    .execute()
  // Each test call is placed once, whichever process takes it.
  return { media, servers: [await media.start(), await media.start()] }
})

let numbers = 0

/** Asks for a test call, and returns its row as it is now. */
async function askForTest() {
  const { media } = setup()
  const e164 = `44207946${String(++numbers).padStart(4, '0')}`
  const numberId = await rentNumber({ db: media.db, clock: systemClock }, { id: await media.newUser() }, e164)
  const { id } = await media.db
    .selectFrom('number_rentals')
    .select('id')
    .where('number_id', '=', numberId)
    .executeTakeFirstOrThrow()
  const token = `token-${numbers}`
  await media.db
    .insertInto('test_calls')
    .values({ rental_id: id, token, state: 'waiting', created_at: systemClock.now() })
    .execute()
  return {
    user: `leg~test~${token}`,
    row: () =>
      media.db.selectFrom('test_calls').selectAll().where('rental_id', '=', id).executeTakeFirstOrThrow(),
  }
}

it('calls the switch once, plays the message to whoever answers, and hangs up', async () => {
  const { media, servers } = setup()
  const calls: IncomingCall[] = []
  media.answerLegs((call) => void calls.push(call))
  const test = await askForTest()
  await expect.poll(() => calls.map(({ user }) => user)).toEqual([test.user])
  expect(await test.row()).toMatchObject({ state: 'calling', ended_at: null })
  expect(servers.map(({ media: { id } }) => id)).toContain((await test.row()).media_id)
  calls[0]?.ring()
  await expect.poll(async () => (await test.row()).state).toBe('ringing')
  const conversation = await calls[0]?.answer()
  if (!conversation) throw new Error('no call')
  const heard = recorded(conversation)
  const ended = Promise.withResolvers<string>()
  conversation.onEnd(ended.resolve)
  expect(await ended.promise).toBe('them')
  expect(heard()).toEqual([SPOKEN])
  await expect.poll(async () => (await test.row()).ended_at).not.toBeNull()
  expect(await test.row()).toMatchObject({ state: 'answered' })
  expect(calls).toHaveLength(1)
  expect(servers.map(({ liveCalls }) => liveCalls())).toEqual([0, 0])
})

it.each([
  [603, 'busy'],
  [480, 'no_answer'],
  [503, 'failed'],
] as const)('stores that a test call refused with %i is %s', async (code, state) => {
  const { media } = setup()
  media.answerLegs((call) => call.reject(code, 'Some Reason'))
  const test = await askForTest()
  await expect.poll(async () => (await test.row()).ended_at).not.toBeNull()
  expect(await test.row()).toMatchObject({ state })
})

it('fails without a connected switch', async () => {
  const { media } = setup()
  await media.db.updateTable('switches').set({ sip_address: null }).execute()
  const test = await askForTest()
  await expect.poll(async () => (await test.row()).ended_at).not.toBeNull()
  expect(await test.row()).toMatchObject({ state: 'failed' })
})
