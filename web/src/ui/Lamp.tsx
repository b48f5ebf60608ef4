import { cx } from './cx.ts'

export type LampState = 'signal' | 'pending' | 'danger' | 'off'

const looks: Record<LampState, string> = {
  signal: 'fill-signal stroke-signal-edge',
  pending: 'fill-pending-soft stroke-pending',
  danger: 'fill-danger-soft stroke-danger',
  off: 'fill-transparent stroke-edge',
}

/**
 * A status indicator. Each state has its own shape as well as a color. The label is for screen readers; empty if the
 * text next to it says the same.
 */
export function Lamp({
  lit = 'off',
  pulse = false,
  label,
  className,
}: {
  lit?: LampState
  pulse?: boolean
  label: string
  className?: string
}) {
  return (
    <svg
      viewBox="0 0 16 16"
      role="img"
      aria-label={label || undefined}
      aria-hidden={label === '' || undefined}
      className={cx('size-4 shrink-0', looks[lit], pulse && 'animate-ring', className)}
      strokeWidth="1.5"
    >
      {lit === 'signal' && <circle cx="8" cy="8" r="7.5" stroke="none" opacity="0.28" />}
      <circle cx="8" cy="8" r="4.25" strokeWidth={lit === 'signal' ? 1 : undefined} />
      {lit === 'pending' && (
        <path d="M8 3.75a4.25 4.25 0 0 1 0 8.5z" className="fill-pending" stroke="none" />
      )}
      {lit === 'danger' && <path d="m6.2 6.2 3.6 3.6m0-3.6L6.2 9.8" />}
    </svg>
  )
}
