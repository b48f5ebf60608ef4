import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'

type Named = { id: number; name: string }

type NamedListProps<Entry> = {
  entries: readonly Entry[]
  /** Shown below the name. */
  details: (entry: Entry) => ReactNode
  onEdit: (entry: Entry) => void
  onDelete: (entry: Entry) => void
}

/** Entries with a name, each with buttons to edit and delete it. */
export const NamedList = <Entry extends Named>({
  entries,
  details,
  onEdit,
  onDelete,
}: NamedListProps<Entry>) => (
  <ul className="divide-y">
    {entries.map((entry) => (
      <li key={entry.id} className="flex items-start gap-2 py-3 first:pt-0 last:pb-0">
        <div className="min-w-0 flex-1">
          <p className="break-words font-medium">{entry.name}</p>
          {details(entry)}
        </div>
        <Button variant="ghost" size="sm" aria-label={`Edit ${entry.name}`} onClick={() => onEdit(entry)}>
          <Pencil aria-hidden />
        </Button>
        <Button variant="ghost" size="sm" aria-label={`Delete ${entry.name}`} onClick={() => onDelete(entry)}>
          <Trash2 aria-hidden />
        </Button>
      </li>
    ))}
  </ul>
)
