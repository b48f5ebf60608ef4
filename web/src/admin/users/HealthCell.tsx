import type { HealthReason } from '@trunkline/contract/admin-users'
import { TriangleAlert } from 'lucide-react'

/** The first reason, and how many others. All of them are on the page of the user. */
export function HealthCell({ reasons }: { reasons: readonly HealthReason[] }) {
  const [first, ...others] = reasons
  if (!first) return null
  return (
    <span className="figures flex min-w-0 items-center gap-1.5 text-sm" title={sayAll(reasons)}>
      <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-pending" />
      <span className="truncate">{first.text}</span>
      {others.length > 0 && (
        <span className="shrink-0 text-muted">
          <span aria-hidden>+{others.length}</span>
          <span className="sr-only">, {sayAll(others)}</span>
        </span>
      )}
    </span>
  )
}

const sayAll = (reasons: readonly HealthReason[]) => reasons.map(({ text }) => text).join(', ')
