import { SAMPLES_PER_SECOND } from '../../../platform/alaw.ts'
import type { SoundWriter } from '../../../platform/sound-files.ts'
import type { RecordingHolds } from './holds.ts'

/** Why a recording ended before its call. */
export type Uncovered = { readonly seconds: number; readonly reason: 'balance' | 'failure' }

type Deps = { holds: Pick<RecordingHolds, 'extend' | 'nextEnd'>; onError: (error: unknown) => void }
type Given = {
  readonly recording: Parameters<RecordingHolds['extend']>[0]
  readonly sound: Pick<SoundWriter, 'append'>
  readonly coveredSeconds: number
  /** Called once. Nothing more is written. */
  readonly onUncovered: (uncovered: Uncovered) => void
}

const BYTES_PER_SECOND = 2 * SAMPLES_PER_SECOND
const RETRY_SECONDS = 3

/** Passes sound on for as long as its price is held, and has the next slice held in time. The sound itself is the clock, so a pause costs nothing. */
export function createCoveredSound({ holds, onError }: Deps, given: Given) {
  const { recording, sound } = given
  let { coveredSeconds } = given
  let written = 0
  let retryAt = 0
  let isExtending = false
  let isOver = false
  let reason: Uncovered['reason'] = 'balance'

  const writtenSeconds = () => written / BYTES_PER_SECOND

  function end(): void {
    if (isOver) return
    isOver = true
    given.onUncovered({ seconds: Math.ceil(writtenSeconds()), reason })
  }

  async function extend(toSeconds: number): Promise<void> {
    try {
      const extended = await holds.extend(recording, { coveredSeconds, toSeconds })
      coveredSeconds = extended.coveredSeconds
      reason = extended.isClosed ? 'failure' : 'balance'
      if (extended.isShort) retryAt = writtenSeconds() + RETRY_SECONDS
      if (extended.isClosed) end()
    } catch (error) {
      reason = 'failure'
      retryAt = writtenSeconds() + RETRY_SECONDS
      onError(error)
    }
  }

  function extendIfDue(): void {
    if (isExtending || recording.perMinute === 0n || writtenSeconds() < retryAt) return
    const toSeconds = holds.nextEnd(recording.perMinute, coveredSeconds, writtenSeconds())
    if (toSeconds === null) return
    isExtending = true
    void extend(toSeconds).finally(() => {
      isExtending = false
    })
  }

  return {
    append(samples: Uint8Array): void {
      if (isOver) return
      const room = recording.perMinute === 0n ? samples.length : coveredSeconds * BYTES_PER_SECOND - written
      const part = samples.subarray(0, room)
      sound.append(part)
      written += part.length
      if (part.length < samples.length) end()
      else extendIfDue()
    },
  }
}
