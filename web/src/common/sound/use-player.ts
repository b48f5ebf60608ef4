import { useEffect, useRef, useState } from 'react'
import { explain } from '../../app/api.ts'
import { toast } from '../../ui/toast.ts'

type Player = {
  state: 'idle' | 'loading' | 'playing'
  /** Seconds played, and the length once it is known. */
  position: number
  seconds: number | null
  play: () => void
  stop: () => void
  seek: (position: number) => void
}

/** Stops the sound that plays, so that only one is heard. */
let stopOther: () => void = () => {}

/** Loads a sound when it is first played. */
export function usePlayer(load: () => Promise<Blob>, failed = 'The sound could not be played.'): Player {
  const [state, setState] = useState<Player['state']>('idle')
  const [position, setPosition] = useState(0)
  const [seconds, setSeconds] = useState<number | null>(null)
  const audio = useRef<HTMLAudioElement | null>(null)
  /** The attempt to play that was not stopped. A sound that loads too late stays silent. */
  const attempt = useRef<symbol | null>(null)
  const stop = useRef(() => {
    attempt.current = null
    audio.current?.pause()
    setState('idle')
  })

  useEffect(() => {
    const last = stop.current
    return () => {
      last()
      if (audio.current) URL.revokeObjectURL(audio.current.src)
    }
  }, [])

  async function loaded(isWanted: () => boolean): Promise<HTMLAudioElement | null> {
    if (audio.current) return audio.current
    const sound = await load()
    if (!isWanted()) return null
    const element = new Audio(URL.createObjectURL(sound))
    element.ontimeupdate = () => setPosition(element.currentTime)
    element.onloadedmetadata = () => setSeconds(Number.isFinite(element.duration) ? element.duration : null)
    element.onended = () => {
      setState('idle')
      setPosition(0)
    }
    audio.current = element
    return element
  }

  async function play() {
    stopOther()
    stopOther = stop.current
    const own = Symbol('attempt')
    const isWanted = () => attempt.current === own
    attempt.current = own
    setState('loading')
    try {
      const element = await loaded(isWanted)
      if (element === null) return
      await element.play()
      setState('playing')
    } catch (error) {
      if (!isWanted()) return
      setState('idle')
      toast.error(explain(error, failed))
    }
  }

  function seek(to: number) {
    if (audio.current) audio.current.currentTime = to
    setPosition(to)
  }

  return { state, position, seconds, play: () => void play(), stop: stop.current, seek }
}
