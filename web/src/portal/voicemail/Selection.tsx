import { useMutation } from '@tanstack/react-query'
import { explain } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { markMessages } from './queries.ts'

type SelectionProps = { ids: number[]; onDelete: () => void; onDone: () => void }

/** Actions for the chosen messages. */
export function Selection({ ids, onDelete, onDone }: SelectionProps) {
  const mark = useMutation({
    mutationFn: (isNew: boolean) => markMessages(ids, isNew),
    onSuccess: onDone,
    onError: (error) => toast.error(explain(error, 'The messages could not be changed.')),
  })
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">Selected messages</legend>
      <span className="figures text-muted text-sm">{ids.length} selected</span>
      <Button size="sm" busy={mark.isPending} onClick={() => mark.mutate(false)}>
        Mark as heard
      </Button>
      <Button size="sm" busy={mark.isPending} onClick={() => mark.mutate(true)}>
        Mark as new
      </Button>
      <Button size="sm" variant="danger" onClick={onDelete}>
        Delete
      </Button>
    </fieldset>
  )
}
