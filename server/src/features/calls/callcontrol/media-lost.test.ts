import { ZERO } from '@trunkline/domain/money'
import type { Destination } from '@trunkline/domain/ringing'
import { expect, it } from 'vitest'
import { CALLER, createProviderWithOwner } from '../../../../test/incoming.ts'
import { answeredByFlow, NUMBER, passWithMedia } from '../../../../test/media-legs.ts'

const phones: Destination = { kind: 'phones', steps: [{ devices: 'all', seconds: 20 }] }

it('ends the calls and legs of a media process that is not seen, or that has started again', async () => {
  for (const isRestart of [false, true]) {
    const { phone, box, owner, call, newLeg } = await answeredByFlow()
    const leg = await box.allowed(await newLeg(phones))
    await box.answer(leg.call, -1)
    await passWithMedia(phone, 10)
    expect(box.all('hangup')).toEqual([])
    const now = phone.clock.now()
    if (isRestart) {
      await phone.db.updateTable('media_servers').set({ started_at: now }).execute()
      await phone.db.updateTable('media_calls').set({ ended_at: now }).execute()
      await passWithMedia(phone, 1)
    } else await phone.advance(3)
    const ended = box.all('hangup').map((hangup) => [hangup.call, hangup.reason])
    expect(ended.sort()).toEqual([
      [call, 'media_lost'],
      [leg.call, 'media_lost'],
    ])
    await box.end(leg.call, { seconds: 2, trunk: -1, by: 'control' })
    await box.end(call, { seconds: 12, trunk: -1, by: 'control' })
    expect(await phone.cdrOf(call)).toMatchObject({
      status: 'completed',
      reason: 'media_lost',
      seconds: 12,
      cost_micros: 2_400n,
    })
    expect(await phone.cdrOf(leg.call)).toMatchObject({ reason: 'media_lost', cost_micros: ZERO })
    expect(await phone.balanceOf(owner.id)).toMatchObject({ heldMicros: ZERO })
    const rows = await phone.db.selectFrom('media_calls').select('ended_at').execute()
    expect(rows.every(({ ended_at }) => ended_at !== null)).toBe(true)
    expect(await phone.faults()).toEqual([])
  }
})

it('does not judge media processes for five seconds after the database was away', async () => {
  const { phone, box } = await answeredByFlow()
  await passWithMedia(phone, 10)
  // The gap between two checks.
  phone.switchClock.advance(4_000)
  await phone.tick()
  await phone.advance(4)
  expect(box.all('hangup')).toEqual([])
  await phone.advance(2)
  expect(box.all('hangup')).toHaveLength(1)
})

it('tells switches about messages: after a change, and all of them after a hello', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  let files = 0
  const leaveMessage = (state: 'recording' | 'new' | 'read') =>
    phone.db
      .insertInto('voicemails')
      .values({
        user_id: owner.id,
        call_id: 'c',
        number: NUMBER,
        caller: CALLER,
        started_at: phone.clock.now(),
        seconds: 3,
        state,
        media_id: 'm1',
        file: `f${++files}`,
        mail_done_at: null,
      })
      .execute()
  const told = (unread: number, read: number) =>
    phone.waitUntil(() =>
      box
        .all('messages')
        .some(({ accounts }) =>
          accounts.some((one) => one.user === owner.username && one.new === unread && one.read === read),
        ),
    )
  await leaveMessage('new')
  await leaveMessage('read')
  await startControl()
  await told(1, 1)
  expect(box.all('messages').at(-1)).toMatchObject({ begins: true, ends: true })
  await leaveMessage('recording')
  await leaveMessage('new')
  await told(2, 1)
  await phone.db.deleteFrom('voicemails').execute()
  await told(0, 0)
})
