import { useQuery } from '@tanstack/react-query'
import type { AdminUser } from '@trunkline/contract/admin-users'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { formatNumber } from '../../../common/format/numbers.ts'
import { Button } from '../../../ui/Button.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import type { ChosenUsers } from './selection.ts'
import { sayCount } from './words.ts'

type ChosenBarProps = { chosen: ChosenUsers; page: readonly AdminUser[]; hasMore: boolean }

/** Shown above the list while users are selected. */
export function ChosenBar({ chosen, page, hasMore }: ChosenBarProps) {
  const [isOpen, setOpen] = useState(false)
  const isWholePage = page.length > 0 && page.every(({ id }) => chosen.has(id))
  const offersAll = isWholePage && hasMore && !chosen.isAll
  const matching = useQuery({
    queryKey: ['admin', 'users', 'count', chosen.filter],
    queryFn: ({ signal }) => api('GET /api/admin/users/count', { query: chosen.filter, signal }),
    enabled: offersAll,
  }).data?.users
  if (chosen.count === 0 && !isOpen) return null
  return (
    <section
      aria-label="Selected users"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-signal-soft/60 px-4 py-1.5 text-sm"
    >
      <p role="status" className="figures font-medium">
        {sayCount(chosen.count)} selected
      </p>
      {offersAll && matching !== undefined && matching > chosen.count && (
        <Button size="sm" variant="ghost" onClick={() => chosen.chooseAll(matching)}>
          Select all {formatNumber(matching)} that match
        </Button>
      )}
      <span className="ml-auto flex gap-2">
        <Button size="sm" variant="ghost" onClick={chosen.clear}>
          Clear
        </Button>
        <Button size="sm" variant="primary" onClick={() => setOpen(true)}>
          <ListChecks aria-hidden />
          Change users
        </Button>
      </span>
      {isOpen && (
        <BulkDialog
          users={chosen.users}
          count={chosen.count}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            chosen.clear()
          }}
        />
      )}
    </section>
  )
}
