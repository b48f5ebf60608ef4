import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './Input.tsx'

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={cx(controlClass, 'block py-2', rows > 1 && 'min-h-20', className)}
      {...rest}
    />
  )
}
