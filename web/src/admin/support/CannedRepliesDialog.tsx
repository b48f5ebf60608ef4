import { useQuery } from '@tanstack/react-query'
import type { CannedReply } from '@trunkline/contract/canned-replies'
import { CANNED_REPLY_NAME_MAX, TICKET_MESSAGE_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { NamedListDialog } from '../NamedListDialog.tsx'
import { savedEntry } from '../saved-entry.ts'
import { cannedRepliesQuery, rereadCannedReplies } from './queries.ts'

/** Lists the canned replies. */
export const CannedRepliesDialog = ({ onClose }: { onClose: () => void }) => (
  <NamedListDialog
    title="Canned replies"
    description="All administrators share them. {name} becomes the name of the customer."
    query={useQuery({ ...cannedRepliesQuery, select: ({ replies }) => replies })}
    failed="The canned replies could not be loaded."
    empty={{ title: 'No canned replies', text: 'Add a text that you send often.' }}
    add="Add reply"
    details={({ text }) => <p className="line-clamp-2 break-words text-muted text-sm">{text}</p>}
    form={(reply, close) => <ReplyForm reply={reply} onClose={close} />}
    deletion={(reply, close) => <DeleteReply reply={reply} onClose={close} />}
    onClose={onClose}
  />
)

function ReplyForm({ reply, onClose }: { reply: CannedReply | null; onClose: () => void }) {
  const form = useEditForm({
    opened: reply,
    toValues: (read) => ({ name: read?.name ?? '', text: read?.text ?? '' }),
    labels: { name: 'Name', text: 'Text' },
    validate: ({ name, text }) => ({
      ...(name.trim() === '' && { name: ownMessages.cannedReplyNameMissing }),
      ...(text.trim() === '' && { text: ownMessages.ticketMessageMissing }),
    }),
    submit: async (values, base) => {
      if (base)
        await api('PATCH /api/admin/support/canned-replies/:id', {
          params: { id: base.id },
          body: { ...values, version: base.version },
        })
      else await api('POST /api/admin/support/canned-replies', { body: values })
      toast.success('Canned reply saved.')
      onClose()
    },
    reload: async (base) => {
      const { replies } = await queryClient.fetchQuery({ ...cannedRepliesQuery, staleTime: 0 })
      return savedEntry(replies, base?.id, 'canned reply')
    },
    failed: 'The canned reply could not be saved. Please try again.',
    onSettled: rereadCannedReplies,
  })
  return (
    <FormDialog
      form={form}
      title={reply ? `Edit ${reply.name}` : 'Add canned reply'}
      action="Save reply"
      onClose={onClose}
    >
      <ConflictNotice form={form} />
      <Field label="Name" error={form.errors.name}>
        <Input {...form.bind('name')} autoComplete="off" maxLength={CANNED_REPLY_NAME_MAX} />
      </Field>
      <Field
        label="Text"
        error={form.errors.text}
        hint="{name} becomes the name of the customer, or the username."
      >
        <Textarea {...form.bind('text')} rows={7} maxLength={TICKET_MESSAGE_MAX} />
      </Field>
    </FormDialog>
  )
}

const DeleteReply = ({ reply, onClose }: { reply: CannedReply; onClose: () => void }) => (
  <Confirm
    title={`Delete ${reply.name}?`}
    text="It is removed for all administrators. Replies that were sent with it stay."
    action="Delete reply"
    failed="The canned reply could not be deleted. Please try again."
    onConfirm={() => api('DELETE /api/admin/support/canned-replies/:id', { params: { id: reply.id } })}
    reread={rereadCannedReplies}
    onClose={onClose}
  />
)
