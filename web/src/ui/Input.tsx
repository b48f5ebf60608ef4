import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

/** Shared by all text controls. 16 px on phones, because iOS zooms the page on focus below that. */
export const controlClass = cx(
  'w-full rounded-md border border-edge bg-raised px-3 text-base text-ink shadow-near transition-colors max-sm:text-[1rem]',
  'placeholder:text-faint hover:border-muted aria-invalid:border-danger',
  'focus-visible:border-signal-ink focus-visible:outline-offset-0',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted disabled:shadow-none read-only:bg-surface',
)

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cx(controlClass, 'h-10', className)} {...rest} />
}
