import { describe, expect, it } from 'vitest'
import { encode } from '../encode.ts'
import type { Conversation, IncomingCall } from '../endpoint.ts'
import { signature } from '../tones.ts'
import { ended, freePort, HOST, later, place, promptsIn, record, start, talk } from './support.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a call', () => {
  it('plays prompts, hears keys once and in order, and ends', async () => {
    const keys: string[] = []
    const played: boolean[] = []
    let end: Promise<string> | null = null
    const ivr = await start(async (incoming) => {
      expect(incoming.user).toBe('flow')
      expect(incoming.from.user).toBe('media')
      expect(incoming.switch).toEqual({ host: HOST, port: phone.port })
      const conversation = await incoming.answer()
      end = ended(conversation)
      conversation.onKey((key) => {
        keys.push(key)
        void conversation.play(encode(signature(Number(key)))).done.then((done) => played.push(done))
      })
      played.push(await conversation.play(encode(signature(12))).done)
    })
    const phone = await start()
    const conversation = await talk(phone, ivr)
    const heard = record(conversation)
    await expect.poll(() => promptsIn(heard())).toEqual([12])
    await expect.poll(() => played).toEqual([true])
    conversation.press('3')
    await expect.poll(() => promptsIn(heard())).toEqual([12, 3])
    await expect.poll(() => played).toEqual([true, true])
    conversation.press('77')
    await expect.poll(() => promptsIn(heard()).at(-1)).toBe(7)
    await expect.poll(() => played.length).toBe(4)
    expect(keys).toEqual(['3', '7', '7'])
    expect(played).toEqual([true, true, false, true])
    expect(ivr.liveCalls()).toBe(1)
    conversation.hangUp()
    expect(await end).toBe('them')
    expect(await ended(conversation)).toBe('us')
    expect(ivr.liveCalls()).toBe(0)
    expect(phone.liveCalls()).toBe(0)
  })

  it('repeats a looped sound until it is stopped', async () => {
    const ivr = await start(async (incoming) => {
      const conversation = await incoming.answer()
      const music = conversation.play(encode(signature(5, 200)), { loops: true })
      conversation.onKey(() => conversation.stopPlaying())
      expect(await music.done).toBe(false)
      conversation.hangUp()
    })
    const conversation = await talk(await start(), ivr)
    const heard = record(conversation)
    await expect.poll(() => heard().length).toBeGreaterThan(6_000)
    conversation.press('#')
    expect(await ended(conversation)).toBe('them')
    expect(new Set(promptsIn(heard()))).toEqual(new Set([5]))
  })

  it('gets the final reply of a rejected call', async () => {
    const ivr = await start((incoming) => incoming.reject(486, 'Busy\r\nHere: x'))
    expect(await place(await start(), ivr).result).toEqual({
      type: 'failed',
      code: 486,
      reason: 'Busy Here: x',
    })
  })

  it('fails without a switch, and if the switch does not allow the address', async () => {
    const closed = await start(undefined, { isAllowed: () => false })
    const phone = await start()
    expect(await place(phone, closed).result).toMatchObject({ type: 'failed', code: 503 })
    expect(await place(phone, { port: await freePort() }).result).toMatchObject({ type: 'failed', code: 503 })
  })

  it('rings, and is canceled by the caller', async () => {
    const canceled = later<void>()
    const incoming = later<IncomingCall>()
    const ivr = await start((call) => {
      call.ring()
      call.onCanceled(canceled.resolve)
      incoming.resolve(call)
    })
    const call = place(await start(), ivr)
    const ringing = later<void>()
    call.onRinging(ringing.resolve)
    await ringing.promise
    call.cancel()
    expect(await call.result).toMatchObject({ type: 'failed', code: 487 })
    await canceled.promise
    const conversation = await (await incoming.promise).answer()
    expect(await ended(conversation)).toBe('them')
    expect(await conversation.play(encode(signature(1))).done).toBe(false)
    expect(ivr.liveCalls()).toBe(0)
  })

  it('ends at both sides, whenever either of them hangs up', { timeout: 120_000 }, async () => {
    const ends: Promise<string>[] = []
    let delay = 0
    const ivr = await start(async (incoming) => {
      const own = delay % 2 === 0
      const ms = delay / 2
      if (own) await pause(ms % 7)
      const conversation = await incoming.answer()
      ends.push(ended(conversation))
      void conversation.play(encode(signature(1)))
      if (!own) return
      await pause(ms % 5)
      conversation.hangUp()
    })
    const phone = await start()
    for (delay = 0; delay < 60; delay++) {
      const call = place(phone, ivr)
      if (delay % 3 !== 0) await pause(delay % 12)
      call.cancel()
      const result = await call.result
      if (result.type === 'failed') continue
      if (delay % 4 === 1) result.conversation.hangUp()
      else if (delay % 2 === 1) setTimeout(() => result.conversation.hangUp(), delay % 9)
      await ended(result.conversation)
    }
    await expect.poll(() => ivr.liveCalls() + phone.liveCalls()).toBe(0)
    await Promise.all(ends)
    expect(ends.length).toBeGreaterThan(5)
  })

  it('ends when the endpoint closes', async () => {
    const conversations: Conversation[] = []
    const ivr = await start(async (incoming) => conversations.push(await incoming.answer()))
    const phone = await start()
    const one = await talk(phone, ivr)
    const other = await start()
    const ringing = place(phone, other)
    await expect.poll(() => other.liveCalls()).toBe(1)
    await expect.poll(() => conversations.length).toBe(1)
    await ivr.close()
    expect(await ended(one)).toBe('them')
    await phone.close()
    expect(await ringing.result).toMatchObject({ type: 'failed', code: 487 })
    await expect.poll(() => other.liveCalls()).toBe(0)
  })

  it('keeps the audio of fifty calls apart', { timeout: 120_000 }, async () => {
    const ivr = await start(async (incoming) => {
      const conversation = await incoming.answer()
      await conversation.play(encode(signature(Number(incoming.user)))).done
      conversation.hangUp()
    })
    const phone = await start()
    const heard = await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const conversation = await talk(phone, ivr, String(number % 45))
        const sound = record(conversation)
        await ended(conversation)
        return promptsIn(sound())
      }),
    )
    expect(heard).toEqual(Array.from({ length: 50 }, (_, number) => [number % 45]))
  })
})
