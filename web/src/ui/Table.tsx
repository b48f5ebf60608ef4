import type { ComponentProps, CSSProperties } from 'react'
import { cx } from './cx.ts'

/**
 * Scrolls horizontally inside its container. With a label the container is focusable and has an accessible name.
 */
export function Table({
  label,
  maxHeight,
  className,
  ...rest
}: { label?: string; maxHeight?: CSSProperties['maxHeight'] } & ComponentProps<'table'>) {
  const table = (
    <table
      className={cx('w-full border-collapse text-left text-sm', className)}
      aria-label={label}
      {...rest}
    />
  )
  if (!label) return <div className="overflow-x-auto">{table}</div>
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="overflow-auto rounded-md"
      style={{ maxHeight }}
    >
      {table}
    </section>
  )
}

export function THead(props: ComponentProps<'thead'>) {
  return <thead {...props} />
}

export function TBody(props: ComponentProps<'tbody'>) {
  return <tbody {...props} />
}

export function Tr({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr className={cx('border-b [tbody_&]:last:border-0 [tbody_&]:hover:bg-ink/3', className)} {...rest} />
  )
}

type Cell = { numeric?: boolean | undefined }

export function Th({ numeric = false, className, ...rest }: Cell & ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cx('engraved whitespace-nowrap px-3 py-2 text-muted', numeric && 'text-right', className)}
      {...rest}
    />
  )
}

export function Td({ numeric = false, className, ...rest }: Cell & ComponentProps<'td'>) {
  return (
    <td
      className={cx('px-3 py-2.5 md:py-1.5', numeric && 'whitespace-nowrap text-right figures', className)}
      {...rest}
    />
  )
}
