import type { AudioCopy } from '@trunkline/media/endpoint'
import { expect, it } from 'vitest'
import { recordDialedCall } from './dialed-call.ts'
import type { Taps } from './taps.ts'

/** A side of a call whose packets and pauses the test decides. */
function createSide() {
  let sink: ((packet: Uint8Array) => void) | null = null
  let quiet = 0
  const copy: AudioCopy = {
    answer: '',
    listen: (given) => {
      sink = given
    },
    onKey: () => {},
    quietMs: () => quiet,
    close: () => {},
  }
  return {
    copy,
    /** One packet of 20 ms, this long after the last one that arrived. */
    says(number: number, quietMs = 0): void {
      quiet = quietMs
      sink?.(Uint8Array.of(number))
    },
  }
}

/** A recording of two sides. Returns what was written, first the caller's packets. */
async function startRecording() {
  const [caller, callee] = [createSide(), createSide()]
  const written: [number[], number[]] = [[], []]
  const untap: (() => void)[] = []
  const ended = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const recorderOf = (taps: Taps) => ({
    isOn: () => true,
    prepare: async () => true,
    turnOn: async () => {
      untap.push(
        taps.heard((packet) => written[0].push(...packet)),
        taps.sent((packet) => written[1].push(...packet)),
      )
      return true
    },
    turnOff: async () => {
      for (const stop of untap) stop()
    },
    uncovered: new Promise<void>(() => {}),
    togglePause: () => {},
  })
  const recorded = recordDialedCall({
    audio: {
      copy: async (side) => (side === 'caller' ? caller : callee).copy,
      announce: async () => true,
      calleeIsReady: async () => {},
      endAnnouncement: async () => {},
      endCopies: async () => {},
    },
    openCopy: async () => null,
    recorderOf,
    announcement: null,
    mayAnnounce: async () => true,
    mayStart: async () => {
      setImmediate(started.resolve)
      return true
    },
    ended: ended.promise,
  })
  await started.promise
  return {
    caller,
    callee,
    written,
    end: async () => {
      ended.resolve()
      expect(await recorded).toBe('recorded')
    },
  }
}

it('drops the silence after the last packet of both sides', async () => {
  const { caller, callee, written, end } = await startRecording()
  caller.says(1)
  callee.says(2)
  for (let ms = 220; ms < 1_000; ms += 20) {
    caller.says(0, ms)
    callee.says(0, ms)
  }
  await end()
  // A side is quiet only if the other one is quiet too.
  expect(written).toEqual([[1, 0], [2]])
})

it('keeps silence between packets, and while only one side sends', async () => {
  const { caller, callee, written, end } = await startRecording()
  caller.says(1)
  callee.says(2)
  caller.says(0, 300)
  callee.says(0, 300)
  callee.says(0, 320)
  expect(written).toEqual([[1, 0], [2]])
  callee.says(3)
  expect(written).toEqual([
    [1, 0],
    [2, 0, 0, 3],
  ])
  caller.says(0, 900)
  callee.says(4)
  await end()
  expect(written).toEqual([
    [1, 0, 0],
    [2, 0, 0, 3, 4],
  ])
})

it('writes the silence of a call on hold every ten seconds', async () => {
  const { caller, callee, written } = await startRecording()
  caller.says(1)
  callee.says(2)
  for (let tick = 0; tick < 15 * 50; tick++) {
    caller.says(0, 500)
    callee.says(0, 500)
  }
  expect(written.map((packets) => packets.length)).toEqual([502, 501])
})
