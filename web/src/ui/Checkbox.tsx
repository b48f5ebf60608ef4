import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }

/** A native checkbox with a clickable label and hint. */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={cx('flex min-h-6 items-start gap-3 has-disabled:cursor-not-allowed', className)}>
      <input type="checkbox" className="mt-1 size-4 shrink-0 accent-signal-ink" {...rest} />
      <span className="min-w-0">
        <span className="block font-medium text-sm">{label}</span>
        {hint && <span className="mt-0.5 block text-muted text-sm">{hint}</span>}
      </span>
    </label>
  )
}
