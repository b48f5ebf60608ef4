import { SOUND_SECONDS_MAX } from '@trunkline/contract/limits'
import { useEffect, useRef, useState } from 'react'

type Recorder = {
  /** The browser asks for the microphone. */
  isStarting: boolean
  isRecording: boolean
  seconds: number
  /** Why the microphone cannot be used. */
  fault: string | null
  start: () => void
  stop: () => void
}

const NO_MICROPHONE = 'The microphone could not be opened. Allow it in your browser, or upload a file.'

/** Records with the microphone. Stops at the longest length of a sound. */
export function useRecorder(onRecorded: (sound: Blob) => void): Recorder {
  const [isStarting, setStarting] = useState(false)
  const [isRecording, setRecording] = useState(false)
  const [seconds, setSeconds] = useState(0)
  const [fault, setFault] = useState<string | null>(null)
  const recorder = useRef<MediaRecorder | null>(null)
  const isMounted = useRef(false)

  useEffect(() => {
    if (!isRecording) return
    const timer = setInterval(() => setSeconds((now) => now + 1), 1_000)
    return () => clearInterval(timer)
  }, [isRecording])

  useEffect(() => {
    if (seconds >= SOUND_SECONDS_MAX) recorder.current?.stop()
  }, [seconds])

  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      letGo(recorder.current?.stream)
    }
  }, [])

  async function start() {
    if (isStarting || isRecording) return
    setStarting(true)
    setFault(null)
    setSeconds(0)
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (!isMounted.current) return letGo(stream)
      const parts: Blob[] = []
      const current = new MediaRecorder(stream)
      current.ondataavailable = ({ data }) => parts.push(data)
      current.onstop = () => {
        letGo(stream)
        setRecording(false)
        onRecorded(new Blob(parts, { type: current.mimeType }))
      }
      current.start()
      recorder.current = current
      setRecording(true)
    } catch {
      setFault(NO_MICROPHONE)
    } finally {
      setStarting(false)
    }
  }

  return {
    isStarting,
    isRecording,
    seconds,
    fault,
    start: () => void start(),
    stop: () => recorder.current?.stop(),
  }
}

function letGo(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
