import type { Conversation, Encoded } from '@trunkline/media/endpoint'
import { SECOND } from '../../../platform/clock.ts'
import type { Timers } from '../../../platform/timers.ts'

/** Thrown by a keypad when the caller has hung up. */
export class HungUp extends Error {}

export type Keypad = ReturnType<typeof createKeypad>

/** Plays and waits for keys, one after the other. A key that comes early is kept for the next question. */
export function createKeypad(conversation: Conversation, timers: Timers) {
  const pressed: string[] = []
  let isOver = false
  let wake: () => void = () => {}
  conversation.onKey((key) => {
    pressed.push(key)
    wake()
  })
  conversation.onEnd(() => {
    isOver = true
    wake()
  })

  /** Null if `end` resolves first. */
  async function keyBefore(end: Promise<unknown>): Promise<string | null> {
    let hasEnded = false
    end.then(() => {
      hasEnded = true
      wake()
    })
    while (!isOver && pressed.length === 0 && !hasEnded)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (isOver) throw new HungUp()
    return pressed.shift() ?? null
  }

  return {
    /** The key that stopped the sound, or null at its end. A missing sound ends at once. */
    async play(sound: Encoded | null): Promise<string | null> {
      if (isOver) throw new HungUp()
      if (!sound) return pressed.shift() ?? null
      const key = await keyBefore(conversation.play(sound).done)
      if (key !== null) conversation.stopPlaying()
      return key
    },
    async wait(seconds: number): Promise<string | null> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = timers.after(seconds * SECOND, resolve)
      try {
        return await keyBefore(promise)
      } finally {
        stop()
      }
    },
    /** The next key, or null if `end` resolves before. */
    keyBefore,
  }
}
