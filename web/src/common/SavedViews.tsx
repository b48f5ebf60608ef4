import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { VIEW_NAME_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { SavedView, ViewScreen } from '@trunkline/contract/saved-views'
import { Bookmark, Trash2 } from 'lucide-react'
import { api, explain } from '../app/api.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Input } from '../ui/Input.tsx'
import { Popover } from '../ui/Popover.tsx'
import { toast } from '../ui/toast.ts'
import { FormFeedback } from './forms/FormFeedback.tsx'
import { useForm } from './forms/use-form.ts'
import { Loaded } from './Loaded.tsx'

const viewsQuery = (screen: ViewScreen) =>
  queryOptions({
    queryKey: ['views', screen],
    queryFn: async ({ signal }) => (await api('GET /api/views', { query: { screen }, signal })).views,
  })

/** Saves the filters of a screen under a name, and applies them again. */
export function SavedViews({ screen, className }: { screen: ViewScreen; className?: string }) {
  return (
    <Popover
      label="Saved views"
      trigger={(props) => (
        <Button {...props} className={className}>
          <Bookmark aria-hidden />
          Views
        </Button>
      )}
    >
      {(close) => (
        <div className="flex w-64 flex-col gap-4">
          <Views screen={screen} onChosen={close} />
          <SaveForm screen={screen} />
        </div>
      )}
    </Popover>
  )
}

type ViewsProps = { screen: ViewScreen; onChosen: () => void }

function Views({ screen, onChosen }: ViewsProps) {
  const views = useQuery(viewsQuery(screen))
  return (
    <Loaded query={views} failed="The saved views could not be loaded.">
      {(all) =>
        all.length === 0 ? (
          <p className="text-muted text-sm">No saved views yet.</p>
        ) : (
          <ul className="-mx-2 flex flex-col">
            {all.map((view) => (
              <View key={view.id} view={view} screen={screen} onChosen={onChosen} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function View({ view, screen, onChosen }: ViewsProps & { view: SavedView }) {
  const { history } = useRouter()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/views/:id', { params: { id: view.id } }),
    onError: (error) => toast.error(explain(error, 'The view could not be deleted. Please try again.')),
    onSettled: () => client.invalidateQueries(viewsQuery(screen)),
  })
  return (
    <li className="flex items-center gap-1 rounded-md hover:bg-ink/3">
      <button
        type="button"
        className="min-w-0 flex-1 truncate px-2 py-1.5 text-left text-sm"
        onClick={() => {
          onChosen()
          history.push(`${path}?${view.query}`)
        }}
      >
        {view.name}
      </button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Delete ${view.name}`}
        busy={remove.isPending}
        onClick={() => remove.mutate()}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  )
}

/** Page and open details are not part of a view. */
const PASSING = ['cursor', 'call', 'rows']

function SaveForm({ screen }: { screen: ViewScreen }) {
  const query = useLocation({ select: ({ searchStr }) => searchStr })
  const client = useQueryClient()
  const form = useForm({
    initial: { name: '' },
    validate: ({ name }) => (name.trim() === '' ? { name: ownMessages.viewNameMissing } : {}),
    failed: 'The view could not be saved. Please try again.',
    submit: async ({ name }) => {
      const kept = new URLSearchParams(query)
      for (const passing of PASSING) kept.delete(passing)
      await api('POST /api/views', { body: { screen, name, query: kept.toString() } })
      await client.invalidateQueries(viewsQuery(screen))
      return 'View saved.'
    },
  })
  return (
    <Form form={form} className="flex flex-col gap-2 border-t pt-3">
      <Field label="Save the current view as" error={form.errors.name}>
        <Input
          {...form.bind('name')}
          maxLength={VIEW_NAME_MAX}
          autoComplete="off"
          placeholder="Failed calls to Germany"
        />
      </Field>
      <FormFeedback form={form} />
      <Button type="submit" size="sm" className="self-end" busy={form.isBusy}>
        Save
      </Button>
    </Form>
  )
}
