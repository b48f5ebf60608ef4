import { useEffect, useEffectEvent } from 'react'
import { ownLiveCalls } from '../../app/live-calls.ts'

const idsNow = (): Set<string> => new Set(ownLiveCalls.current().calls.map(({ uniqueid }) => uniqueid))

/** Runs when a call has ended: at once, then at most so often, since somebody may have many calls. */
export function useAfterCalls(leastPauseMs: number, read: () => void): void {
  const onEnd = useEffectEvent(read)
  useEffect(() => {
    let before = idsNow()
    let lastAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined

    const leave = ownLiveCalls.subscribe(() => {
      const now = idsNow()
      if ([...before].some((id) => !now.has(id)))
        timer ??= setTimeout(
          () => {
            timer = undefined
            lastAt = Date.now()
            onEnd()
          },
          Math.max(0, lastAt + leastPauseMs - Date.now()),
        )
      before = now
    })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [leastPauseMs])
}
