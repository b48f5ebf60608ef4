import { useMutation, useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { USER_TAG_MAX, USER_TAGS_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { X } from 'lucide-react'
import { useId, useRef } from 'react'
import { api, explain } from '../../../app/api.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { rereadUsers, tagsQuery } from '../queries.ts'

const blank = { tag: '' }

/** Only administrators see tags. */
export function Tags({ user }: { user: UserDetails }) {
  const card = useRef<HTMLElement>(null)
  // The button that had the focus is gone with its tag.
  const focusField = () => {
    if (document.activeElement === document.body) card.current?.querySelector('input')?.focus()
  }
  return (
    <TitledCard title="Tags" ref={card}>
      {user.tags.length === 0 ? (
        <p className="mb-4 text-muted text-sm">No tags. Customers never see tags.</p>
      ) : (
        <ul className="mb-4 flex flex-wrap gap-1.5">
          {user.tags.map((tag) => (
            <li key={tag} className="min-w-0">
              <TagChip user={user} tag={tag} onRemoved={focusField} />
            </li>
          ))}
        </ul>
      )}
      {user.tags.length < USER_TAGS_MAX ? (
        <AddTag user={user} />
      ) : (
        <p className="text-muted text-sm">{ownMessages.tooManyTags}</p>
      )}
    </TitledCard>
  )
}

type TagChipProps = { user: UserDetails; tag: string; onRemoved: () => void }

function TagChip({ user, tag, onRemoved }: TagChipProps) {
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/admin/users/:id/tags', { params: { id: user.id }, query: { tag } }),
    onError: (error) => toast.error(explain(error, 'The tag could not be removed. Please try again.')),
    onSettled: async () => {
      await rereadUsers()
      onRemoved()
    },
  })
  return (
    <span className="flex h-7 min-w-0 items-center rounded-sm border border-line bg-sunken pl-2 font-medium text-muted text-sm">
      <span className="truncate">{tag}</span>
      <button
        type="button"
        aria-label={`Remove tag ${tag}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
        className="grid size-7 shrink-0 place-items-center rounded-sm hover:text-ink focus-visible:-outline-offset-2 disabled:opacity-50"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}

function AddTag({ user }: { user: UserDetails }) {
  const list = useId()
  const used = useQuery(tagsQuery).data?.tags ?? []
  const form = useForm({
    initial: blank,
    validate: ({ tag }) => (tag.trim() === '' ? { tag: ownMessages.tagMissing } : {}),
    submit: async ({ tag }) => {
      await api('POST /api/admin/users/:id/tags', { params: { id: user.id }, body: { tag } })
      form.reset(blank)
    },
    failed: 'The tag could not be added. Please try again.',
    onSettled: rereadUsers,
  })
  return (
    <Form form={form} label="Add tag" className="flex items-start gap-2">
      <Field label="Add tag" className="min-w-0 flex-1" error={form.errors.tag ?? form.failure}>
        <Input {...form.bind('tag')} list={list} autoComplete="off" maxLength={USER_TAG_MAX} />
      </Field>
      <datalist id={list}>
        {used
          .filter(({ tag }) => !user.tags.includes(tag))
          .map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      {/* Beside the control, below the height of its label. */}
      <Button type="submit" busy={form.isBusy} className="mt-6.5">
        Add
      </Button>
    </Form>
  )
}
