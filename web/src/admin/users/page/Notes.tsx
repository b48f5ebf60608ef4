import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import { USER_NOTE_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { UserNote } from '@trunkline/contract/user-notes'
import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, explain } from '../../../app/api.ts'
import { useUser } from '../../../app/session.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { formatDateTime } from '../../../common/format/dates.ts'
import { FormFeedback } from '../../../common/forms/FormFeedback.tsx'
import { useForm } from '../../../common/forms/use-form.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { ShowMore } from '../../../common/ShowMore.tsx'
import { useDraft } from '../../../common/use-draft.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Textarea } from '../../../ui/Textarea.tsx'
import { toast } from '../../../ui/toast.ts'
import { notesQuery, rereadUsers } from '../queries.ts'

const validate = ({ note }: { note: string }) => (note.trim() === '' ? { note: ownMessages.noteMissing } : {})

/** Notes of the staff: the pinned one, then the others, newest first. */
export function Notes({ user }: { user: UserDetails }) {
  const query = useInfiniteQuery(notesQuery(user.id))
  return (
    <TitledCard title="Notes">
      <AddNote user={user} />
      <Loaded query={query} failed="The notes could not be loaded." className="mt-4">
        {({ pages }) => {
          const pinned = pages[0]?.pinned
          const notes = [...(pinned ? [pinned] : []), ...pages.flatMap((page) => page.notes)]
          if (notes.length === 0) return <p className="mt-4 text-muted text-sm">No notes yet.</p>
          return (
            <>
              <ul className="mt-4 flex flex-col gap-3">
                {notes.map((note) => (
                  <li key={note.id}>
                    <Note note={note} />
                  </li>
                ))}
              </ul>
              <ShowMore query={query} size="sm" className="mt-4" />
            </>
          )
        }}
      </Loaded>
    </TitledCard>
  )
}

const blank = { note: '' }

/** The draft is kept until the note has been added. */
function AddNote({ user }: { user: UserDetails }) {
  const [draft, write, discard] = useDraft(`user note ${user.id}`, blank)
  const form = useForm({
    initial: blank,
    state: [draft, write],
    validate,
    submit: async (sent) => {
      await api('POST /api/admin/users/:id/notes', { params: { id: user.id }, body: sent })
      discard(sent)
    },
    failed: 'The note could not be added. Please try again.',
    onSettled: rereadUsers,
  })
  return (
    <Form form={form} label="Add note" className="flex flex-col gap-3">
      <Field label="New note" error={form.errors.note} hint="Customers never see notes.">
        <Textarea {...form.bind('note')} rows={3} maxLength={USER_NOTE_MAX} />
      </Field>
      <FormFeedback form={form} />
      <Button type="submit" busy={form.isBusy} className="self-start">
        Add note
      </Button>
    </Form>
  )
}

function Note({ note }: { note: UserNote }) {
  const self = useUser()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const author = note.author?.username ?? 'Deleted account'
  return (
    <article
      aria-label={`Note by ${author}`}
      className={cx(
        'rounded-lg border px-3.5 py-2.5',
        note.is_pinned ? 'border-pending/40 bg-pending-soft' : 'bg-raised',
      )}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {note.is_pinned && <Badge tone="pending">Pinned</Badge>}
        <span className="break-all font-medium text-sm">{author}</span>
        <time dateTime={note.createdAt} className="figures text-muted text-xs">
          {formatDateTime(note.createdAt)}
        </time>
        {note.editedAt && (
          <span className="text-muted text-xs" title={formatDateTime(note.editedAt)}>
            edited
          </span>
        )}
      </p>
      <p className="mt-1.5 whitespace-pre-wrap break-words">{note.note}</p>
      <div className="mt-1.5 -ml-2 flex flex-wrap gap-0.5">
        <PinButton note={note} />
        {note.author?.id === self?.id && (
          <Button variant="ghost" size="sm" className="px-2" onClick={() => setAsked('edit')}>
            <Pencil aria-hidden />
            Edit<span className="sr-only"> note</span>
          </Button>
        )}
        <Button variant="ghost" size="sm" className="px-2" onClick={() => setAsked('delete')}>
          <Trash2 aria-hidden />
          Delete<span className="sr-only"> note</span>
        </Button>
      </div>
      {asked === 'edit' && <EditNote note={note} onClose={() => setAsked(null)} />}
      {asked === 'delete' && (
        <Confirm
          title="Delete this note?"
          text="The audit log keeps its text."
          action="Delete note"
          failed="The note could not be deleted. Please try again."
          onConfirm={() => api('DELETE /api/admin/user-notes/:id', { params: { id: note.id } })}
          reread={rereadUsers}
          onClose={() => setAsked(null)}
        />
      )}
    </article>
  )
}

function PinButton({ note: { id, is_pinned: isPinned } }: { note: UserNote }) {
  const pin = useMutation({
    mutationFn: () =>
      api('PATCH /api/admin/user-notes/:id', { params: { id }, body: { is_pinned: !isPinned } }),
    onError: (error) => toast.error(explain(error, 'The note could not be pinned. Please try again.')),
    onSettled: () => rereadUsers(),
  })
  return (
    <Button variant="ghost" size="sm" className="px-2" busy={pin.isPending} onClick={() => pin.mutate()}>
      {isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
      {isPinned ? 'Unpin' : 'Pin'}
      <span className="sr-only"> note</span>
    </Button>
  )
}

function EditNote({ note: { id, note }, onClose }: { note: UserNote; onClose: () => void }) {
  const form = useForm({
    initial: { note },
    validate,
    submit: async (values) => {
      await api('PATCH /api/admin/user-notes/:id', { params: { id }, body: values })
      toast.success('Note saved.')
      onClose()
    },
    failed: 'The note could not be saved. Please try again.',
    onSettled: rereadUsers,
  })
  return (
    <FormDialog form={form} title="Edit note" action="Save note" onClose={onClose}>
      <Field label="Note" error={form.errors.note}>
        <Textarea {...form.bind('note')} rows={6} maxLength={USER_NOTE_MAX} />
      </Field>
    </FormDialog>
  )
}
