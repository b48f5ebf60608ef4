import { Badge } from '../ui/Badge.tsx'
import { useSite } from './site.ts'

export function DemoMark({ className }: { className?: string }) {
  if (!useSite()?.demo) return null
  return (
    <Badge tone="pending" className={className}>
      Demo
    </Badge>
  )
}
