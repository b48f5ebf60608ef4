import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './Input.tsx'

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={cx(controlClass, 'block min-h-20 py-2', className)} {...rest} />
}
