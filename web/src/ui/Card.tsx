import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={cx('card', className)} {...rest} />
}

export function CardHeader({ title, action }: { title: ReactNode; action?: ReactNode }) {
  return (
    <header className="mb-4 flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <h2 className="min-w-0 font-semibold text-lg tracking-tight">{title}</h2>
      {action}
    </header>
  )
}

type TitledCardProps = Omit<ComponentProps<'section'>, 'title'> & { title: string; action?: ReactNode }

/** The title is also the accessible name, unless another one is given. */
export const TitledCard = ({ title, action, children, ...rest }: TitledCardProps) => (
  <Card aria-label={title} {...rest}>
    <CardHeader title={title} action={action} />
    {children}
  </Card>
)
