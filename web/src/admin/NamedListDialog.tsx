import type { UseQueryResult } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Loaded } from '../common/Loaded.tsx'
import { AddButton } from '../ui/AddButton.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

type Named = { id: number; name: string }

type NamedListDialogProps<Entry> = {
  title: string
  description: string
  maxWidth?: number
  query: UseQueryResult<readonly Entry[]>
  /** The error message if the server gave none. */
  failed: string
  empty: { title: string; text: string }
  /** Label of the button that adds an entry. */
  add: string
  /** Shown below the name. */
  details: (entry: Entry) => ReactNode
  /** The form of an entry, or of a new one. */
  form: (entry: Entry | null, onClose: () => void) => ReactNode
  deletion: (entry: Entry, onClose: () => void) => ReactNode
  onClose: () => void
}

/** Lists entries with a name. Editing and deleting replace the list until they are done. */
export function NamedListDialog<Entry extends Named>({
  query,
  failed,
  empty,
  add,
  details,
  form,
  deletion,
  onClose,
  ...rest
}: NamedListDialogProps<Entry>) {
  const [editing, setEditing] = useState<Entry | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Entry | null>(null)
  if (editing !== null) return form(editing === 'new' ? null : editing, () => setEditing(null))
  if (deleting !== null) return deletion(deleting, () => setDeleting(null))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <AddButton variant="primary" onClick={() => setEditing('new')}>
            {add}
          </AddButton>
        </>
      }
      {...rest}
    >
      <Loaded query={query} failed={failed}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState {...empty} />
          ) : (
            <ul className="divide-y">
              {entries.map((entry) => (
                <li key={entry.id} className="flex items-start gap-2 py-3 first:pt-0 last:pb-0">
                  <div className="min-w-0 flex-1">
                    <p className="break-words font-medium">{entry.name}</p>
                    {details(entry)}
                  </div>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Edit ${entry.name}`}
                    onClick={() => setEditing(entry)}
                  >
                    <Pencil aria-hidden />
                  </Button>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Delete ${entry.name}`}
                    onClick={() => setDeleting(entry)}
                  >
                    <Trash2 aria-hidden />
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}
