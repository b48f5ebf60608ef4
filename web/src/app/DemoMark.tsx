import { Badge } from '../ui/Badge.tsx'
import { useSite } from './site.ts'

/** Nobody shall take the demo for the real thing, or the other way round. */
export function DemoMark({ className }: { className?: string }) {
  if (!useSite()?.demo) return null
  return (
    <Badge tone="pending" className={className}>
      Demo
    </Badge>
  )
}
