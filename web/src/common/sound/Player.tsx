import { Pause, Play } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { formatDuration } from '../format/durations.ts'
import { usePlayer } from './use-player.ts'

type PlayerProps = {
  /** The name of the sound, for the labels of the controls. */
  name: string
  seconds: number
  load: () => Promise<Blob>
  onPlay?: () => void
}

/** Plays a sound of known length. */
export function Player({ load, ...rest }: PlayerProps) {
  return <PlayerControls player={usePlayer(load)} {...rest} />
}

type ControlsProps = Omit<PlayerProps, 'load'> & { player: ReturnType<typeof usePlayer> }

export function PlayerControls({ player, name, seconds, onPlay }: ControlsProps) {
  const isPlaying = player.state === 'playing'
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <Button
        size="sm"
        busy={player.state === 'loading'}
        aria-label={`${isPlaying ? 'Pause' : 'Play'} ${name}`}
        className="w-9 px-0"
        onClick={() => {
          if (isPlaying) return player.stop()
          player.play()
          onPlay?.()
        }}
      >
        {player.state !== 'loading' && (isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />)}
      </Button>
      <input
        type="range"
        aria-label={`Position in ${name}`}
        aria-valuetext={`${formatDuration(player.position)} of ${formatDuration(seconds)}`}
        min={0}
        max={seconds}
        step={0.1}
        value={Math.min(player.position, seconds)}
        disabled={player.seconds === null}
        onChange={({ target }) => player.seek(Number(target.value))}
        className="h-6 min-w-12 flex-1 accent-signal-edge"
      />
      <span className="figures shrink-0 text-muted text-sm">
        {formatDuration(isPlaying || player.position > 0 ? player.position : seconds)}
      </span>
    </div>
  )
}
