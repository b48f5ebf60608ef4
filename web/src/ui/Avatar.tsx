import { cx } from './cx.ts'

/** Contrast with the light text is 7:1 or more in both themes. */
const grounds = ['#2f4a1f', '#1d4a46', '#4a3a14', '#553022', '#2b3f57', '#4b2f4c', '#3b4340', '#3f4a12']
const INK = '#f6f4ec'
const LAMPS = 5

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}

function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters =
    words.length > 1
      ? [words[0], words.at(-1)].map((word) => [...(word ?? '')][0])
      : [...(words[0] ?? '?')].slice(0, 2)
  return letters.join('').toUpperCase()
}

/** Initials and a pattern that depend only on the name. */
export function Avatar({
  name,
  size = 32,
  decorative = false,
  className,
}: {
  name: string
  size?: number
  /** Hidden from screen readers, if the name is next to it. */
  decorative?: boolean
  className?: string
}) {
  const seed = hash(name.trim().toLowerCase())
  const lamps = Array.from({ length: LAMPS }, (_, at) => ({
    x: 8 + at * 6,
    isLit: ((seed >> (at + 4)) & 1) === 1,
  }))
  return (
    <svg
      viewBox="0 0 40 40"
      width={size}
      height={size}
      className={cx('shrink-0 rounded-lg', className)}
      role="img"
      aria-label={decorative ? undefined : name}
      aria-hidden={decorative || undefined}
    >
      <rect width="40" height="40" fill={grounds[seed % grounds.length]} />
      <text x="20" y="22.5" textAnchor="middle" fontSize="15" fontWeight="600" letterSpacing="0.3" fill={INK}>
        {initials(name)}
      </text>
      <path d="M0 31.5h40" stroke={INK} strokeOpacity="0.35" />
      {lamps.map(({ x, isLit }) => (
        <circle
          key={x}
          cx={x}
          cy="31.5"
          r={isLit ? 1.9 : 1.2}
          fill={isLit ? '#b8f34a' : INK}
          fillOpacity={isLit ? 1 : 0.5}
        />
      ))}
    </svg>
  )
}
