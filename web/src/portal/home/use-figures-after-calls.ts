import { useEffect } from 'react'
import { ownLiveCalls } from '../../app/live-calls.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'

/** Somebody with many calls does not ask for every one of them. */
const LEAST_PAUSE_MS = 10_000

/** When a call has ended, balance, charts and counts have changed: they are read again at once, then at most so often. */
export function useFiguresAfterCalls(): void {
  useEffect(() => {
    let before = ownLiveCalls.current().liveCalls
    let lastAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined

    function read() {
      timer = undefined
      lastAt = Date.now()
      void queryClient.invalidateQueries({ queryKey: ['dashboard'] })
      refresh().catch(() => {})
    }
    const leave = ownLiveCalls.subscribe(() => {
      const now = ownLiveCalls.current().liveCalls
      if (now < before) timer ??= setTimeout(read, Math.max(0, lastAt + LEAST_PAUSE_MS - Date.now()))
      before = now
    })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [])
}
