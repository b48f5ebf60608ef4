import { cloneElement, type ReactElement, type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

type Control = ReactElement<{
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}>

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  /** Marks the control as invalid. */
  error?: ReactNode
  optional?: boolean | undefined
  /** The label stands beside the control on wide screens. */
  isLine?: boolean | undefined
  className?: string | undefined
  children: Control
}

/** A control with its label, hint and error, linked for screen readers. */
export function Field({
  label,
  hint,
  error,
  optional = false,
  isLine = false,
  className,
  children,
}: FieldProps) {
  const ownId = useId()
  const id = children.props.id ?? ownId
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const describedBy = [children.props['aria-describedby'], errorId, hintId].filter(Boolean).join(' ')

  return (
    <div className={cx(isLine && 'lg:flex lg:items-center lg:gap-2', className)}>
      <div
        className={cx('mb-1.5 flex items-baseline justify-between gap-3', isLine && 'lg:mb-0 lg:shrink-0')}
      >
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {optional && <span className="text-muted text-xs">optional</span>}
      </div>
      {cloneElement(children, {
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={errorId} className="mt-1.5 text-danger text-sm">
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className="mt-1.5 text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  )
}
