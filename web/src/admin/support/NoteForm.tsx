import { TICKET_MESSAGE_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { useDraft } from '../../common/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { addNote } from './queries.ts'

const blank = { note: '' }

/** The draft is kept until the note has been added. */
export function NoteForm({ ticketId }: { ticketId: number }) {
  const [draft, write, discard] = useDraft(`ticket note ${ticketId}`, blank)
  const form = useForm({
    initial: blank,
    state: [draft, write],
    validate: ({ note }) => (note.trim() === '' ? { note: ownMessages.noteMissing } : {}),
    submit: async (sent) => {
      await addNote(ticketId, sent.note)
      discard(sent)
    },
    failed: 'The note could not be added. Your draft is saved. Please try again.',
  })
  return (
    <Form form={form} label="Internal note" className="flex flex-col gap-3">
      <Field
        label="Internal note"
        error={form.errors.note}
        hint="Only administrators see this. The customer is not notified."
      >
        <Textarea
          {...form.bind('note')}
          required
          maxLength={TICKET_MESSAGE_MAX}
          className="bg-pending-soft!"
        />
      </Field>
      <FormFeedback form={form} />
      <Button type="submit" busy={form.isBusy} className="self-start">
        Add note
      </Button>
    </Form>
  )
}
