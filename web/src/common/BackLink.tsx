import { createLink } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ComponentProps } from 'react'
import { buttonClass } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'

const WithArrow = ({ className, children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={cx(buttonClass({ variant: 'ghost', size: 'sm' }), '-ml-2 mb-1', className)}>
    <ArrowLeft aria-hidden />
    {children}
  </a>
)

/** Leads from a page to the one above it. */
export const BackLink = createLink(WithArrow)
