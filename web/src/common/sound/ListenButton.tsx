import { Ear, Square } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { usePlayer } from './use-player.ts'

type ListenButtonProps = {
  /** The name of the sound, if there are several buttons. */
  name?: string
  size?: 'sm'
  isDisabled?: boolean
  load: () => Promise<Blob>
  failed: string
}

/** Plays a short sound of unknown length. */
export function ListenButton({ name, size, isDisabled = false, load, failed }: ListenButtonProps) {
  const player = usePlayer(load, failed)
  const isPlaying = player.state === 'playing'
  const action = isPlaying ? 'Stop' : 'Listen'
  return (
    <Button
      {...(size && { size })}
      {...(name && { 'aria-label': isPlaying ? `Stop ${name}` : `Listen to ${name}` })}
      disabled={isDisabled}
      busy={player.state === 'loading'}
      onClick={isPlaying ? player.stop : player.play}
    >
      {isPlaying ? <Square aria-hidden /> : player.state === 'idle' && <Ear aria-hidden />}
      {action}
    </Button>
  )
}
