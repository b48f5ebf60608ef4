import { Badge } from '../../ui/Badge.tsx'
import { cx } from '../../ui/cx.ts'

/** A list shows the first ones. */
const SHOWN = 2

type TagBadgesProps = { tags: readonly string[]; all?: boolean; className?: string }

export function TagBadges({ tags, all = false, className }: TagBadgesProps) {
  if (tags.length === 0) return null
  const shown = all ? tags : tags.slice(0, SHOWN)
  const hidden = tags.slice(shown.length)
  return (
    <span className={cx('flex min-w-0 flex-wrap gap-1.5', className)}>
      <span className="sr-only">Tags: </span>
      {shown.map((tag) => (
        <Badge key={tag} className="min-w-0 max-w-full">
          <span className="truncate">{tag}</span>
        </Badge>
      ))}
      {hidden.length > 0 && (
        <Badge>
          <span aria-hidden>+{hidden.length}</span>
          <span className="sr-only">{hidden.join(', ')}</span>
        </Badge>
      )}
    </span>
  )
}
