import type { Leg } from './leg.ts'

export type Bridge = { end(): void }

/**
 * Connects two calls. The audio is relayed at once. Then each side is told the other's address, and the audio leaves this process. If a
 * side refuses, or changes its audio later, it is relayed again.
 */
export function createBridge(
  one: Leg,
  other: Leg,
  staysHere: boolean,
  onError: (error: unknown) => void,
): Bridge {
  let isEnded = false
  one.rtp.relayTo(other.rtp)
  other.rtp.relayTo(one.rtp)
  one.onReturned(() => void other.comeBack().catch(onError))
  other.onReturned(() => void one.comeBack().catch(onError))
  if (!staysHere) leave().catch(onError)

  async function leave(): Promise<void> {
    const target = other.remote()
    if (target?.direction !== 'sendrecv' || one.remote()?.direction !== 'sendrecv') return
    const first = await one.offer(target)
    if (first === null) return
    const second = isEnded || first.direction !== 'sendrecv' ? null : await other.offer(first)
    const isMoved = second !== null && (second.address !== target.address || second.port !== target.port)
    const last = isMoved && !isEnded ? await one.offer(second) : first
    if (isEnded) return
    if (second === null || last === null) {
      await Promise.all([one.comeBack(), other.comeBack()])
      return
    }
    one.leave()
    other.leave()
  }

  return {
    end() {
      if (isEnded) return
      isEnded = true
      for (const leg of [one, other]) {
        leg.rtp.relayTo(null)
        leg.onReturned(null)
        leg.comeBack().catch(onError)
      }
    },
  }
}
