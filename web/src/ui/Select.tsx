import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './Input.tsx'

/** A styled native select, so that phones open their own picker. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={cx('relative', className)}>
      <select className={cx(controlClass, 'h-10 appearance-none bg-raised! pr-9')} {...rest}>
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </div>
  )
}

type OptionsProps = {
  /** Each value with its label. Undefined while they load. */
  of: readonly (readonly [value: string | number, label: string])[] | undefined
}

export const Options = ({ of }: OptionsProps) =>
  of?.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
