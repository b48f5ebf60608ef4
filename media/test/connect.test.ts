import { describe, expect, it } from 'vitest'
import { encode } from '../encode.ts'
import type { Conversation } from '../endpoint.ts'
import { decodeG711 } from '../g711.ts'
import { join, signature } from '../tones.ts'
import { ended, promptsIn, record, start, startMiddle, talk } from './support.ts'

/** A caller and a called party that talk through a third endpoint. */
async function threeParties(connect: (caller: Conversation, called: Conversation) => void) {
  const { ivr, called, middle } = await startMiddle(connect)
  const caller = await talk(await start(), ivr)
  const [toCaller, toCalled] = await middle
  return { caller, called: await called, toCaller, toCalled }
}

const hears = (sound: () => Int16Array, number: number) =>
  expect.poll(() => promptsIn(sound()), { timeout: 10_000 }).toContain(number)

/** Plays until the other side hears it. */
async function reaches(from: Conversation, sound: () => Int16Array, number: number): Promise<void> {
  void from.play(encode(signature(number)), { loops: true })
  await hears(sound, number)
  from.stopPlaying()
}

describe('two connected calls', () => {
  it('talk to each other, and the audio leaves the process', async () => {
    const { caller, called, toCaller, toCalled } = await threeParties((one, other) => one.connect(other))
    const atCaller = record(caller)
    const atCalled = record(called)
    await reaches(caller, atCalled, 1)
    await reaches(called, atCaller, 2)
    const inside = [record(toCaller), record(toCalled)]
    await reaches(caller, atCalled, 3)
    await reaches(called, atCaller, 4)
    expect(inside.flatMap((sound) => promptsIn(sound()))).toEqual([])

    called.hangUp()
    expect(await ended(toCalled)).toBe('them')
    void toCaller.play(encode(signature(9)), { loops: true })
    await hears(atCaller, 9)
    await reaches(caller, inside[0] as () => Int16Array, 8)
    toCaller.hangUp()
    expect(await ended(caller)).toBe('them')
  })

  it('get their audio back after disconnect', async () => {
    const { caller, called, toCaller, toCalled } = await threeParties((one, other) => one.connect(other))
    const atCaller = record(caller)
    const atCalled = record(called)
    await reaches(caller, atCalled, 1)
    toCalled.disconnect()
    void toCaller.play(encode(signature(6)), { loops: true })
    void toCalled.play(encode(signature(7)), { loops: true })
    await hears(atCaller, 6)
    await hears(atCalled, 7)
    const inside = record(toCaller)
    await reaches(caller, inside, 5)
    expect(promptsIn(atCalled())).not.toContain(5)
    // Connected again, and disconnected while the audio is leaving.
    toCaller.stopPlaying()
    toCalled.stopPlaying()
    toCaller.connect(toCalled)
    toCaller.disconnect()
    void toCaller.play(encode(signature(10)), { loops: true })
    await hears(atCaller, 10)
    await reaches(called, record(toCalled), 11)
  })

  it('stay in the process for a recording, and keys are heard here and there', async () => {
    const left: Int16Array[] = []
    const right: Int16Array[] = []
    const { caller, called, toCaller } = await threeParties((one, other) => {
      one.connect(other, { staysHere: true })
      one.listen((packet) => left.push(decodeG711(packet, 'alaw')))
      one.listenToSent((packet) => right.push(decodeG711(packet, 'alaw')))
    })
    const keys: string[] = []
    toCaller.onKey((key) => keys.push(`here ${key}`))
    called.onKey((key) => keys.push(`there ${key}`))
    const atCaller = record(caller)
    const atCalled = record(called)
    await reaches(caller, atCalled, 1)
    await reaches(called, atCaller, 2)
    caller.press('5')
    await expect.poll(() => keys.toSorted()).toEqual(['here 5', 'there 5'])
    caller.hangUp()
    expect(await ended(toCaller)).toBe('them')
    expect(new Set(promptsIn(join(...left)))).toEqual(new Set([1]))
    expect(new Set(promptsIn(join(...right)))).toEqual(new Set([2]))
    expect(Math.abs(left.length - right.length)).toBeLessThanOrEqual(10)
  })

  it('hear a prompt instead of each other while it plays', async () => {
    const { caller, called, toCaller } = await threeParties((one, other) =>
      one.connect(other, { staysHere: true }),
    )
    const atCaller = record(caller)
    await reaches(called, atCaller, 2)
    expect(await toCaller.play(encode(signature(20))).done).toBe(true)
    await hears(atCaller, 20)
    await reaches(called, atCaller, 3)
  })

  it.each(['caller', 'called'] as const)('survive a hang-up of the %s at every moment', async (side) => {
    for (let ms = 0; ms < 30; ms += 3) {
      const parties = await threeParties((one, other) => one.connect(other))
      await new Promise((resolve) => setTimeout(resolve, ms))
      parties[side].hangUp()
      const [gone, stays] =
        side === 'caller' ? [parties.toCaller, parties.toCalled] : [parties.toCalled, parties.toCaller]
      expect(await ended(gone)).toBe('them')
      const heard = record(side === 'caller' ? parties.called : parties.caller)
      void stays.play(encode(signature(4)), { loops: true })
      await hears(heard, 4)
      stays.hangUp()
      await ended(side === 'caller' ? parties.called : parties.caller)
    }
  })
})
