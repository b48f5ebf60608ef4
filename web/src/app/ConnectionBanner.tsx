import { useEffect } from 'react'
import { Lamp } from '../ui/Lamp.tsx'
import { api } from './api.ts'
import { useConnection } from './connection.ts'

const POLL_MS = 4_000

/** Shown while the server is unreachable. Polls it; any successful request hides the banner. */
export function ConnectionBanner() {
  const isAway = useConnection() === 'disconnected'

  useEffect(() => {
    if (!isAway) return
    const ask = () => void api('GET /api/health').catch(() => {})
    const timer = setInterval(ask, POLL_MS)
    addEventListener('online', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ask)
    }
  }, [isAway])

  // The live region must exist before its text, otherwise screen readers miss it.
  return (
    <div role="status" className="sticky top-0 z-30">
      {isAway && (
        <p className="flex h-9 animate-appear items-center justify-center gap-2.5 border-b bg-pending-soft px-4 text-pending text-sm">
          <Lamp lit="pending" pulse label="" />
          The server cannot be reached. Trying again…
        </p>
      )}
    </div>
  )
}
