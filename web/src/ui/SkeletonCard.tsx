import { Card } from './Card.tsx'
import { SkeletonRows } from './Skeleton.tsx'

type SkeletonCardProps = { rows: number; className: string }

/** Placeholder of a card with rows of names and values. */
export const SkeletonCard = (props: SkeletonCardProps) => (
  <Card aria-busy="true">
    <SkeletonRows {...props} />
  </Card>
)
