import { Link, useNavigate } from '@tanstack/react-router'
import { TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { TicketPriority } from '@trunkline/contract/tickets'
import { useEffect } from 'react'
import { api } from '../../app/api.ts'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { priorities } from '../../common/tickets/priorities.ts'
import { useDraft } from '../../common/use-draft.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { desk } from './queries.ts'

type Draft = { subject: string; message: string; priority: TicketPriority }

const blank: Draft = { subject: '', message: '', priority: 'medium' }

/** The draft survives leaving the screen. */
export function NewTicket() {
  const [draft, write, discard] = useDraft('new ticket', blank)
  const navigate = useNavigate()
  const form = useForm<Draft>({
    initial: blank,
    state: [draft, write],
    validate: ({ subject, message }) => ({
      ...(subject.trim() === '' && { subject: ownMessages.subjectMissing }),
      ...(message.trim() === '' && { message: ownMessages.ticketMessageMissing }),
    }),
    submit: async (body) => {
      const { ticket } = await api('POST /api/support/tickets', { body })
      discard(body)
      toast.success('Ticket opened. Replies will appear here.')
      void desk.rereadLists()
      const isStillOpen = form.ref.current !== null
      if (isStillOpen)
        await navigate({ to: '/dashboard/support', search: { ticket: ticket.id }, replace: true })
    },
    failed: 'Your ticket could not be opened. Your draft is saved. Please try again.',
  })

  useEffect(() => form.ref.current?.querySelector('input')?.focus(), [form.ref])

  return (
    <Form form={form} label="New ticket">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label="Subject" error={form.errors.subject}>
          <Input {...form.bind('subject')} required maxLength={TICKET_SUBJECT_MAX} autoComplete="off" />
        </Field>
        <Field label="Priority">
          <Select {...form.bind('priority')}>
            <Options of={priorities} />
          </Select>
        </Field>
      </div>
      <Field
        label="Message"
        error={form.errors.message}
        hint="For call issues, include the number and time. Never send a password."
      >
        <Textarea {...form.bind('message')} required rows={8} maxLength={TICKET_MESSAGE_MAX} />
      </Field>
      <FormFeedback form={form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={form.isBusy}>
          Send
        </Button>
        <Link to="/dashboard/support" className={buttonClass({ variant: 'ghost' })}>
          Save draft
        </Link>
      </div>
    </Form>
  )
}
