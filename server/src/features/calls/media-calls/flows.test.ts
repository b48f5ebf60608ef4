import { describe, expect, it } from 'vitest'
import { interpretAgain } from '../../../../test/flows.ts'
import { forAll } from '../../../../test/lifetime.ts'
import { createMedia, type Media, menuOf, pathOf, SPOKEN, stepOf } from '../../../../test/media.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  return { media, server: await media.start() }
})

/** Gives the events of the stored log to the interpreter and returns its log. */
async function replayed(media: Media, flowId: number, callId: string) {
  const flow = await media.flowOf(flowId)
  const stored = await media.stepsOf(callId)
  return { stored, log: interpretAgain(flow, stored) }
}

describe('a flow', () => {
  it('plays a menu, repeats it after silence and a wrong key, and follows the key', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const [question, sales] = [await media.newSound(userId, 1), await media.newSound(userId, 2)]
    const id = await media.newFlow(userId, [
      menuOf('menu', question, { key_1: 'sales' }, { repeats: 2, seconds: 3 }),
      stepOf('play', 'sales', { sound: sales }),
    ])
    const call = await media.call(server, { id, userId })
    await call.hears(1, 1)
    call.conversation.press('5')
    await call.hears(1, 1, SPOKEN, 1)
    call.conversation.press('1')
    const log = await media.ended(call)
    await call.hears(1, 1, SPOKEN, 1, 2)
    expect(pathOf(log)).toEqual(['menu: key_1', 'sales: next', 'ended: no_exit'])
    await expect.poll(call.isOver).toBe(true)
    const { stored, log: again } = await replayed(media, id, call.callId)
    expect(again).toEqual(stored)
  })

  it('collects digits and compares them', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const [question, right, wrong] = [
      await media.newSound(userId, 3),
      await media.newSound(userId, 4),
      await media.newSound(userId, 5),
    ]
    const digits = {
      variable: 'code',
      minDigits: 2,
      maxDigits: 6,
      endKey: '#',
      repeats: 0,
      seconds: 5,
    } as const
    const id = await media.newFlow(userId, [
      stepOf('collect', 'ask', { sound: question, ...digits }, { next: 'check' }),
      stepOf(
        'compare',
        'check',
        { left: '{{code}}', comparison: 'is', right: '4711' },
        { yes: 'right', no: 'wrong' },
      ),
      stepOf('play', 'right', { sound: right }),
      stepOf('play', 'wrong', { sound: wrong }),
    ])
    for (const [keys, played] of [
      ['4711#', 4],
      ['12#', 5],
    ] as const) {
      const call = await media.call(server, { id, userId })
      call.conversation.press(keys)
      await media.ended(call)
      await expect.poll(() => call.heard().at(-1)).toBe(played)
    }
  })

  it('plays the next question in full if the end key follows the last possible digit', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const digits = { minDigits: 4, maxDigits: 4, endKey: '#', repeats: 0, seconds: 1 } as const
    const account = { ...digits, variable: 'account', sound: await media.newSound(userId, 6) }
    const pin = { ...digits, variable: 'pin', sound: await media.newSound(userId, 7, 1_000) }
    const id = await media.newFlow(userId, [
      stepOf('collect', 'account', account, { next: 'pin' }),
      stepOf('collect', 'pin', pin),
    ])
    const call = await media.call(server, { id, userId })
    call.conversation.press('4711#')
    expect(pathOf(await media.ended(call))).toEqual(['account: next', 'pin: timeout', 'ended: no_exit'])
    expect(call.heard().at(-1)).toBe(7)
    const { stored, log } = await replayed(media, id, call.callId)
    expect(log).toEqual(stored)
  })

  it('takes the exit for a sound that cannot be played', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const id = await media.newFlow(userId, [
      stepOf(
        'play',
        'mute',
        { sound: { kind: 'text', text: 'unspeakable', language: 'en' } },
        { failed: 'foreign' },
      ),
      stepOf('play', 'foreign', { sound: await media.newSound(await media.newUser(), 6) }, { failed: 'end' }),
      stepOf('play', 'end', { sound: await media.newSound(userId, 7) }),
    ])
    const call = await media.call(server, { id, userId })
    const log = await media.ended(call)
    expect(pathOf(log)).toEqual(['mute: failed', 'foreign: failed', 'end: next', 'ended: no_exit'])
    await call.hears(7)
  })

  it('keeps a call on the version with which it began', async () => {
    const { media, server } = setup()
    const userId = await media.newUser()
    const [menu, first, second] = [
      await media.newSound(userId, 8),
      await media.newSound(userId, 11),
      await media.newSound(userId, 9),
    ]
    const steps = (after: typeof first) => [
      menuOf('menu', menu, { key_1: 'after' }, { seconds: 30 }),
      stepOf('play', 'after', { sound: after }),
    ]
    const id = await media.newFlow(userId, steps(first))
    const old = await media.call(server, { id, userId })
    await expect.poll(() => old.heard()).toContain(8)
    await media.publish(id, steps(second))
    const fresh = await media.call(server, { id, userId })
    await expect.poll(() => fresh.heard()).toContain(8)
    for (const call of [old, fresh]) call.conversation.press('1')
    await expect.poll(() => old.heard().at(-1)).toBe(11)
    await expect.poll(() => fresh.heard().at(-1)).toBe(9)
  })

  it('refuses flows of others, unknown calls and a second flow in the same call', async () => {
    const { media, server } = setup()
    const [userId, other] = [await media.newUser(), await media.newUser()]
    const sound = await media.newSound(userId, 10)
    const id = await media.newFlow(userId, [menuOf('menu', sound, { key_1: 'menu' }, { seconds: 30 })])
    expect(await media.place(server, { id, userId: other })).toBe(403)
    expect(await media.place(server, { kind: 'voicemail', id: userId, userId: other })).toBe(403)
    expect(await media.place(server, { kind: 'mailbox', id: userId, userId: other })).toBe(403)
    expect(await media.place(server, { id: 999_999, userId })).toBe(403)
    expect(await media.dial(server, `flow~${id}~sw1~unknown`)).toBe(403)
    expect(await media.dial(server, '442079460000')).toBe(403)
    const call = await media.call(server, { id, userId })
    expect(await media.dial(server, `flow~${id}~sw1~${call.callId.slice(4)}`)).toBe(482)
    call.conversation.hangUp()
    await media.ended(call)
  })
})
