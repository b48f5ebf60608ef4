import { useQuery } from '@tanstack/react-query'
import type { CannedReply } from '@trunkline/contract/canned-replies'
import { CANNED_REPLY_NAME_MAX, TICKET_MESSAGE_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { ApiError, api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { Loaded } from '../../common/Loaded.tsx'
import { AddButton } from '../../ui/AddButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { NamedList } from '../NamedList.tsx'
import { cannedRepliesQuery, rereadCannedReplies } from './queries.ts'

type Step = { show: 'edit'; reply: CannedReply | null } | { show: 'delete'; reply: CannedReply } | null

/** Lists the canned replies. Editing and deleting replace the list until they are done. */
export function CannedRepliesDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>(null)
  const back = () => setStep(null)
  if (step?.show === 'edit') return <ReplyForm reply={step.reply} onClose={back} />
  if (step?.show === 'delete') return <DeleteReply reply={step.reply} onClose={back} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Canned replies"
      description="All administrators share them. {name} becomes the name of the customer."
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <AddButton variant="primary" onClick={() => setStep({ show: 'edit', reply: null })}>
            Add reply
          </AddButton>
        </>
      }
    >
      <List
        onEdit={(reply) => setStep({ show: 'edit', reply })}
        onDelete={(reply) => setStep({ show: 'delete', reply })}
      />
    </Dialog>
  )
}

type ListProps = { onEdit: (reply: CannedReply) => void; onDelete: (reply: CannedReply) => void }

function List({ onEdit, onDelete }: ListProps) {
  const query = useQuery(cannedRepliesQuery)
  return (
    <Loaded query={query} failed="The canned replies could not be loaded.">
      {({ replies }) =>
        replies.length === 0 ? (
          <EmptyState title="No canned replies" text="Add a text that you send often." />
        ) : (
          <NamedList
            entries={replies}
            details={(reply) => <p className="line-clamp-2 break-words text-muted text-sm">{reply.text}</p>}
            onEdit={onEdit}
            onDelete={onDelete}
          />
        )
      }
    </Loaded>
  )
}

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
      const saved = replies.find(({ id }) => id === base?.id)
      if (!saved) throw new ApiError('Someone else deleted this canned reply.')
      return saved
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
