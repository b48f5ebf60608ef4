import { Link, useNavigate } from '@tanstack/react-router'
import { TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { TicketPriority } from '@trunkline/contract/tickets'
import { useEffect, useRef, useState } from 'react'
import { explain } from '../../app/api.ts'
import { priorities } from '../../common/tickets/priorities.ts'
import { useDraft } from '../../common/use-draft.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { useOpenTicket } from './queries.ts'

type Draft = { subject: string; message: string; priority: TicketPriority }
type Faults = { subject?: string | undefined; message?: string | undefined }

const blank: Draft = { subject: '', message: '', priority: 'medium' }

/** What is written here waits for its writer, who may first have to look something up on another screen. */
export function NewTicket() {
  const [draft, write, discard] = useDraft('new ticket', blank)
  const [faults, setFaults] = useState<Faults>({})
  const open = useOpenTicket(() => {
    discard()
    toast.success('Ticket opened. Replies will appear here.')
  })
  const navigate = useNavigate()
  const subject = useRef<HTMLInputElement>(null)
  const message = useRef<HTMLTextAreaElement>(null)

  useEffect(() => subject.current?.focus(), [])

  function edit(change: Partial<Draft>) {
    write({ ...draft, ...change })
    setFaults({})
    open.reset()
  }

  function submit() {
    const found: Faults = {
      subject: draft.subject.trim() === '' ? ownMessages.subjectMissing : undefined,
      message: draft.message.trim() === '' ? ownMessages.ticketMessageMissing : undefined,
    }
    setFaults(found)
    if (found.subject) subject.current?.focus()
    else if (found.message) message.current?.focus()
    else if (!open.isPending)
      open.mutate(draft, {
        onSuccess: ({ ticket }) => {
          void navigate({ to: '/dashboard/support', search: { ticket: ticket.id }, replace: true })
        },
      })
  }

  return (
    <form
      noValidate
      aria-label="New ticket"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label="Subject" error={faults.subject}>
          <Input
            ref={subject}
            name="subject"
            required
            maxLength={TICKET_SUBJECT_MAX}
            autoComplete="off"
            value={draft.subject}
            onChange={(event) => edit({ subject: event.target.value })}
          />
        </Field>
        <Field label="Priority">
          <Select
            name="priority"
            value={draft.priority}
            onChange={(event) => edit({ priority: event.target.value as TicketPriority })}
          >
            {priorities.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field
        label="Message"
        error={faults.message}
        hint="For call issues, include the number and time. Never send a password."
      >
        <Textarea
          ref={message}
          name="message"
          required
          rows={8}
          maxLength={TICKET_MESSAGE_MAX}
          value={draft.message}
          onChange={(event) => edit({ message: event.target.value })}
        />
      </Field>
      {open.isError && (
        <Notice tone="danger">
          {explain(open.error, 'Your ticket could not be opened. Your draft is saved. Please try again.')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={open.isPending}>
          Send
        </Button>
        <Link to="/dashboard/support" className={buttonClass({ variant: 'ghost' })}>
          Save draft
        </Link>
      </div>
    </form>
  )
}
