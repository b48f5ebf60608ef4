import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './Spinner.tsx'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
type ButtonSize = 'sm' | 'md' | 'lg'
type Look = { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined }

const variants: Record<ButtonVariant, string> = {
  // One per screen.
  primary: 'border-signal-edge bg-signal text-on-signal hover:bg-signal-hover',
  secondary: 'border-edge/60 bg-raised text-ink hover:border-edge hover:bg-surface',
  ghost: 'border-transparent text-muted hover:bg-ink/6 hover:text-ink',
  danger: 'border-danger bg-danger text-on-danger hover:bg-danger/88',
}

const sizes: Record<ButtonSize, string> = {
  sm: 'h-8 gap-1.5 px-3 text-sm',
  md: 'h-10 gap-2 px-4 text-base',
  lg: 'h-12 gap-2.5 px-6 text-lg',
}

/** A small button in a table row, which must not make the row higher. */
export const inRowClass = 'md:h-7 md:px-2.5'

/** The classes of a button, for links. */
export function buttonClass({ variant = 'secondary', size = 'md' }: Look = {}): string {
  return cx(
    'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-md border font-medium',
    'transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-busy:cursor-progress aria-busy:opacity-80 [&_svg]:size-4 [&_svg]:shrink-0',
    variants[variant],
    sizes[size],
  )
}

/** Disabled while busy. Keeps its label so that the layout does not move. */
export function Button({
  variant,
  size,
  busy = false,
  disabled,
  className,
  children,
  type = 'button',
  ...rest
}: Look & { busy?: boolean | undefined } & ComponentProps<'button'>) {
  return (
    <button
      type={type}
      className={cx(buttonClass({ variant, size }), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
