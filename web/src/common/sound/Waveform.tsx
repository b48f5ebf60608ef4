type WaveformProps = {
  /** 0 to 1, one list per channel. */
  channels: readonly (readonly number[])[]
  names: readonly string[]
  /** Played part, 0 to 1. */
  played: number
  onSeek: ((part: number) => void) | null
}

const HEIGHT = 40

/** Bars up and down from the middle line. The square root shows quiet speech. */
function pathOf(peaks: readonly number[]): string {
  const middle = HEIGHT / 2
  return peaks
    .map((peak, at) => {
      const half = Math.max(0.5, Math.sqrt(peak) * (middle - 1))
      return `M${at + 0.5} ${middle - half}V${middle + half}`
    })
    .join('')
}

/** The waveform of each channel. A click moves the position; the slider of the player does the same by keyboard. */
export const Waveform = ({ channels, names, played, onSeek }: WaveformProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the player has a slider for the keyboard
  // biome-ignore lint/a11y/useKeyWithClickEvents: the player has a slider for the keyboard
  <div
    className={onSeek ? 'cursor-pointer' : undefined}
    onClick={(event) => {
      const { left, width } = event.currentTarget.getBoundingClientRect()
      onSeek?.(Math.min(1, Math.max(0, (event.clientX - left) / width)))
    }}
  >
    {channels.map((peaks, at) => (
      <figure key={names[at]} className="mt-1">
        <figcaption className="text-muted text-xs">{names[at]}</figcaption>
        <div className="relative h-10 rounded-sm bg-sunken">
          <Bars peaks={peaks} className="text-edge" />
          <div className="absolute inset-0" style={{ clipPath: `inset(0 ${(1 - played) * 100}% 0 0)` }}>
            <Bars peaks={peaks} className="text-signal-ink" />
          </div>
        </div>
      </figure>
    ))}
  </div>
)

const Bars = ({ peaks, className }: { peaks: readonly number[]; className: string }) => (
  <svg
    aria-hidden
    viewBox={`0 0 ${peaks.length} ${HEIGHT}`}
    preserveAspectRatio="none"
    className={`absolute inset-0 size-full ${className}`}
  >
    <path d={pathOf(peaks)} stroke="currentColor" strokeWidth={1} />
  </svg>
)
