import { useConnection } from '../app/connection.ts'
import { Lamp } from '../ui/Lamp.tsx'
import { useLiveCalls } from './live/live-calls.ts'

const streamWords = {
  loading: 'Connecting to live updates',
  live: 'Live updates',
  polling: 'Updates every 5 seconds',
  away: 'Live updates unavailable',
}

/** The state of the connection and of the live updates. */
export function ConnectionStatus() {
  const isConnected = useConnection() === 'connected'
  const stream = useLiveCalls(({ status }) => status)
  const isLive = isConnected && stream === 'live'
  return (
    <div className="flex items-center gap-3 px-3 py-2 text-sm">
      <Lamp
        lit={isLive ? 'signal' : isConnected ? 'pending' : 'danger'}
        pulse={!isConnected}
        label=""
        className="mx-px"
      />
      <p className="min-w-0 leading-tight">
        <span className="block">{isConnected ? 'Connected' : 'Disconnected'}</span>
        <span className="block truncate text-muted text-xs">
          {isConnected ? streamWords[stream] : 'Reconnecting…'}
        </span>
      </p>
    </div>
  )
}
