import { expect, it } from 'vitest'
import { followMessage } from './message.ts'
import { createStereo } from './stereo.ts'

const SILENCE = 0xd5
const packet = (byte: number, length = 160) => new Uint8Array(length).fill(byte)

it('interleaves both sides, and fills a side that sends nothing with silence', () => {
  const written: number[] = []
  const stereo = createStereo((samples) => written.push(...samples))
  stereo.left(packet(1))
  expect(written).toEqual([])
  stereo.right(packet(2))
  expect(written).toEqual(Array.from({ length: 320 }, (_, at) => (at % 2 === 0 ? 1 : 2)))
  written.length = 0
  // 400 ms of the left side only: at most 200 ms wait for the right side.
  for (let n = 0; n < 20; n++) stereo.left(packet(3))
  expect(written).toHaveLength(2 * (20 * 160 - 1_600))
  expect(new Set(written.filter((_, at) => at % 2 === 1))).toEqual(new Set([SILENCE]))
  stereo.flush()
  expect(written).toHaveLength(2 * 20 * 160)
})

it('ends a message after four seconds of silence or at its limit', () => {
  const LOUD = 0x2a
  const endsAfter = (maxSeconds: number, spokenPackets: number): number => {
    let ended = 0
    let packets = 0
    const message = followMessage(maxSeconds, () => {
      ended = packets
    })
    for (; packets < 1_000 && ended === 0; ) {
      packets++
      message.sink(packet(packets <= spokenPackets ? LOUD : SILENCE))
    }
    expect(message.spokenSeconds()).toBe(Math.min(spokenPackets, ended) / 50)
    return ended / 50
  }
  expect(endsAfter(60, 100)).toBe(6)
  expect(endsAfter(60, 0)).toBe(4)
  expect(endsAfter(5, 1_000)).toBe(5)
})
