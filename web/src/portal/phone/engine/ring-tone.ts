/** Ring tones made of sine waves. */

/** Seconds from the start of a ring, and hertz; null is silence. */
type Note = readonly [at: number, frequency: number | null]

const melody: readonly Note[] = [
  [0, 659],
  [0.18, 784],
  [0.36, 988],
  [0.54, 784],
  [0.72, 988],
  [1.1, null],
]
const RING_EVERY = 3
/** During a call, one quiet beep. */
const beep: readonly Note[] = [
  [0, 440],
  [0.25, null],
]
const BEEP_EVERY = 5
const RINGS = 40

/** Plays until the returned function is called. `isQuiet` is for a customer in another call. */
export function playRingTone(isQuiet: boolean): () => void {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const loudness = context.createGain()
  const [notes, every, gain] = isQuiet ? [beep, BEEP_EVERY, 0.04] : [melody, RING_EVERY, 0.16]
  loudness.gain.value = 0
  for (let ring = 0; ring < RINGS; ring++)
    for (const [after, frequency] of notes) {
      const at = context.currentTime + 0.05 + ring * every + after
      if (frequency !== null) tone.frequency.setValueAtTime(frequency, at)
      loudness.gain.setTargetAtTime(frequency === null ? 0 : gain, at, 0.02)
    }
  tone.connect(loudness).connect(context.destination)
  tone.start()
  return () => {
    if (context.state !== 'closed') void context.close()
  }
}
