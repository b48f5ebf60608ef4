import { useEffect, useEffectEvent } from 'react'

export type LiveCalls = {
  current(): { calls: readonly { uniqueid: string }[] }
  subscribe(listener: () => void): () => void
}

/** Runs `read` when a call ends, at most once per `leastPauseMs`. */
export function useAfterCalls(calls: LiveCalls, leastPauseMs: number, read: () => void): void {
  const onEnd = useEffectEvent(read)
  useEffect(() => {
    const idsNow = () => new Set(calls.current().calls.map(({ uniqueid }) => uniqueid))
    let before = idsNow()
    let lastAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined

    const leave = calls.subscribe(() => {
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
  }, [calls, leastPauseMs])
}
