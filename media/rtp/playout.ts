import { copyG711, type Law, SILENCE } from '../g711.ts'
import { SAMPLES } from './packet.ts'

/** Puts received audio in order, in packets of 20 ms A-law. */
export type Playout = {
  write(timestamp: number, source: number, bytes: Uint8Array, start: number, length: number, law: Law): void
  /** The next 20 ms. Missing samples are silence. */
  read(): Uint8Array
  /** Samples that are written and not read. */
  pending(): number
}

/** Four seconds. */
const SIZE = 32_768
const MASK = SIZE - 1
/** Packets that arrive this late are still heard: 100 ms. */
const DELAY = 5 * SAMPLES
/** A sender that is further ahead has jumped: three seconds. Less is a burst after a stall of this process. */
const MAX_AHEAD = 150 * SAMPLES
const MAX_PACKET = 25 * SAMPLES
const MAX_LATE = 4

export function createPlayout(): Playout {
  const ring = new Uint8Array(SIZE).fill(SILENCE.alaw)
  /** Timestamp of the next sample to read. */
  let head = 0
  let end = 0
  let sender = -1
  let late = 0

  function restart(timestamp: number, source: number): void {
    ring.fill(SILENCE.alaw)
    sender = source
    head = (timestamp - DELAY) | 0
    end = head
    late = 0
  }

  return {
    write(timestamp, source, bytes, start, length, law) {
      if (length <= 0 || length > MAX_PACKET) return
      if (source !== sender) restart(timestamp, source)
      let ahead = (timestamp - head) | 0
      // If nothing waits, the packet is late because this process was: it is played later, not dropped.
      const isEmpty = ((end - head) | 0) <= 0
      if (ahead < 0 && ahead > -SIZE && !isEmpty && late < MAX_LATE) {
        late += 1
        return
      }
      if (ahead < 0 || ahead + length > MAX_AHEAD) {
        restart(timestamp, source)
        ahead = DELAY
      }
      late = 0
      const at = (head + ahead) & MASK
      const first = Math.min(length, SIZE - at)
      copyG711(bytes, start, first, law, ring, at, 'alaw')
      copyG711(bytes, start + first, length - first, law, ring, 0, 'alaw')
      const written = (head + ahead + length) | 0
      if (((written - end) | 0) > 0) end = written
    },

    read() {
      const packet = new Uint8Array(SAMPLES)
      for (let i = 0; i < SAMPLES; i++) {
        const at = (head + i) & MASK
        packet[i] = ring[at] ?? 0
        ring[at] = SILENCE.alaw
      }
      head = (head + SAMPLES) | 0
      if (((end - head) | 0) < 0) end = head
      return packet
    },

    pending: () => (sender === -1 ? 0 : Math.max(0, (end - head) | 0)),
  }
}
