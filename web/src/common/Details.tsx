import type { ReactNode } from 'react'
import { Loading, Skeleton } from '../ui/Skeleton.tsx'

/** Building blocks of detail drawers. */

export const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="engraved text-muted">{name}</dt>
    <dd className="figures mt-1 font-semibold text-2xl tracking-tight">{children}</dd>
  </div>
)

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="mb-3 font-semibold">{title}</h3>
    {children}
  </section>
)

export const WaitingForDetails = () => (
  <Loading className="flex flex-col gap-7">
    <div className="grid grid-cols-3 gap-3">
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
    {[0, 1, 2].map((part) => (
      <div key={part} className="flex flex-col gap-3">
        <Skeleton className="h-5 w-44" />
        <Skeleton className="w-full" />
        <Skeleton className="w-4/5" />
      </div>
    ))}
  </Loading>
)
