import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { tone } from '../../../../test/sounds.ts'
import { createCoveredSound } from './covered-sound.ts'
import { createRecordingHolds } from './holds.ts'

/** The decisions of a recording about its hold. Here the ledger is simulated; `holds.test.ts` uses a real one. */

type Extended = { coveredSeconds: number; isShort: boolean; isClosed: boolean }

/** A recording at a cent per second, of which 60 seconds are held. */
function record(answer: (toSeconds: number) => Promise<Extended>, perMinute = 600_000n) {
  const asked: number[] = []
  const errors: unknown[] = []
  const ends: object[] = []
  let bytes = 0
  const { nextEnd } = createRecordingHolds({ db: null as never, ledger: null as never })
  const extend = (_: object, { toSeconds }: { toSeconds: number }) => {
    asked.push(toSeconds)
    return answer(toSeconds)
  }
  const covered = createCoveredSound(
    { holds: { extend, nextEnd }, onError: (error) => errors.push(error) },
    {
      recording: { id: 1, userId: 1, perMinute },
      sound: {
        append(samples) {
          bytes += samples.length
        },
      },
      coveredSeconds: 60,
      onUncovered: (end) => ends.push(end),
    },
  )
  return {
    asked,
    errors,
    ends,
    seconds: () => bytes / 16_000,
    /** The replies of the ledger arrive between the seconds. */
    async speak(seconds: number) {
      const second = tone(1, 2)
      for (let at = 0; at < seconds; at++) {
        covered.append(second)
        await setImmediate()
      }
    },
  }
}

const all = async (toSeconds: number): Promise<Extended> => ({
  coveredSeconds: toSeconds,
  isShort: false,
  isClosed: false,
})

it('has the next slice held half a minute before the last one ends', async () => {
  const recording = record(all)
  await recording.speak(29)
  expect(recording.asked).toEqual([])
  await recording.speak(1)
  expect(recording.asked).toEqual([120])
  await recording.speak(170)
  expect(recording.asked).toEqual([120, 180, 240])
  expect([recording.seconds(), recording.ends]).toEqual([200, []])
})

it('ends at the covered second if the balance does not cover more, and tries every three seconds until then', async () => {
  const recording = record(async () => ({ coveredSeconds: 65, isShort: true, isClosed: false }))
  await recording.speak(100)
  expect(recording.seconds()).toBe(65)
  expect(recording.ends).toEqual([{ seconds: 65, reason: 'balance' }])
  expect(recording.asked).toHaveLength(12)
})

it('goes on after a top-up', async () => {
  let balance = 60
  const recording = record(async (toSeconds) => {
    const coveredSeconds = Math.min(balance, toSeconds)
    return { coveredSeconds, isShort: coveredSeconds < toSeconds, isClosed: false }
  })
  await recording.speak(50)
  balance = 1_000
  await recording.speak(50)
  expect([recording.seconds(), recording.ends]).toEqual([100, []])
})

it('ends at the covered second if the ledger cannot be reached, and not before', async () => {
  const recording = record(async () => {
    throw new Error('no connection')
  })
  await recording.speak(70)
  expect(recording.seconds()).toBe(60)
  expect(recording.ends).toEqual([{ seconds: 60, reason: 'failure' }])
  expect(recording.errors).toHaveLength(11)
})

it('ends if another process has finished the recording', async () => {
  const recording = record(async () => ({ coveredSeconds: 60, isShort: false, isClosed: true }))
  await recording.speak(70)
  expect(recording.seconds()).toBe(30)
  expect(recording.ends).toEqual([{ seconds: 30, reason: 'failure' }])
})

it('writes the covered part of a packet', async () => {
  const recording = record(() => new Promise(() => {}))
  await recording.speak(59)
  const ends = () => recording.ends.length
  expect(ends()).toBe(0)
  await recording.speak(2)
  expect([recording.seconds(), ends()]).toEqual([60, 1])
})

it('holds nothing for a free recording', async () => {
  const recording = record(all, 0n)
  await recording.speak(100)
  expect([recording.seconds(), recording.asked, recording.ends]).toEqual([100, [], []])
})
