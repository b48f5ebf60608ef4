import { Badge } from '../ui/Badge.tsx'

/** A number at the end of a link in the sidebar, with its unit for screen readers. */
export const CountBadge = ({ count, one, many }: { count: number; one: string; many: string }) =>
  count > 0 && (
    <Badge tone="signal" className="ml-auto">
      {count}
      <span className="sr-only">{count === 1 ? one : many}</span>
    </Badge>
  )
