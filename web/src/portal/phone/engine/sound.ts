/** Microphone and speaker of a call. */

const SILENT_BELOW = 0.002

export const isSoundPossible = (): boolean => navigator.mediaDevices !== undefined

type Chosen = { microphone: string; speaker: string }

const KEY = 'phone-devices'

export function readChosen(): Chosen {
  try {
    return { microphone: '', speaker: '', ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return { microphone: '', speaker: '' }
  }
}

export const writeChosen = (chosen: Chosen): void => localStorage.setItem(KEY, JSON.stringify(chosen))

/** The selected microphone, or the default if it is gone. */
export async function openMicrophone(deviceId: string): Promise<MediaStream> {
  const sound = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }
  const open = (device: MediaTrackConstraints) =>
    navigator.mediaDevices.getUserMedia({ audio: { ...sound, ...device } })
  if (!deviceId) return open({})
  return open({ deviceId: { exact: deviceId } }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'OverconstrainedError') return open({})
    throw error
  })
}

export const letGo = (stream: MediaStream | null): void => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

export type Ear = { level(): number; peak(): number; close(): void }

/** Current and peak level of a stream, from 0 to 1. */
export function listenTo(stream: MediaStream): Ear {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1_024
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  let peak = 0
  return {
    level() {
      analyser.getFloatTimeDomainData(samples)
      const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
      peak = Math.max(peak, loudness)
      // Logarithmic scale of 60 dB.
      return loudness < SILENT_BELOW / 2 ? 0 : Math.max(0, Math.min(1, 1 + Math.log10(loudness) / 3))
    },
    peak: () => peak,
    close: () => void context.close(),
  }
}

export const isHeard = (peak: number): boolean => peak > SILENT_BELOW

/** Ringback tone for calls without early media. */
export function playRinging(): () => void {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const loudness = context.createGain()
  tone.frequency.value = 425
  loudness.gain.value = 0
  for (let ring = 0; ring < 30; ring++) {
    const at = context.currentTime + 0.1 + ring * 4
    loudness.gain.setTargetAtTime(0.06, at, 0.01)
    loudness.gain.setTargetAtTime(0, at + 1, 0.01)
  }
  tone.connect(loudness).connect(context.destination)
  tone.start()
  return () => {
    if (context.state !== 'closed') void context.close()
  }
}
