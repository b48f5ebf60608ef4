import { cx } from './cx.ts'

/**
 * The same in both themes, with the colors of the dark theme. The favicon is the same drawing.
 */
export function Logo({ size = 28, className }: { size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      className={cx('shrink-0', className)}
      data-theme="dark"
      aria-hidden
    >
      <rect x="0.5" y="0.5" width="31" height="31" rx="7" className="fill-surface stroke-edge/60" />
      <path d="M1 16h30" className="stroke-edge" strokeWidth="2" />
      <circle cx="16" cy="16" r="10" className="fill-surface" />
      <circle cx="16" cy="16" r="10" className="fill-signal" opacity="0.24" />
      <circle cx="16" cy="16" r="6" className="fill-signal" />
    </svg>
  )
}

/** The logo and the site name. */
export function Wordmark({ name, className }: { name: string; className?: string }) {
  return (
    <span
      className={cx(
        'flex min-w-0 items-center gap-2.5 font-semibold text-ink text-lg tracking-tight',
        className,
      )}
    >
      <Logo size={26} />
      <span className="truncate">{name}</span>
    </span>
  )
}
