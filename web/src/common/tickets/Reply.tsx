import { TICKET_MESSAGE_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { Ticket } from '@trunkline/contract/tickets'
import { useRef, useState } from 'react'
import { explain } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { useDraft } from '../use-draft.ts'
import type { TicketDesk } from './desk.ts'

/** What was typed stays until it has arrived. */
export function Reply<T extends Ticket>({ desk, ticketId }: { desk: TicketDesk<T>; ticketId: number }) {
  const [message, write, discard] = useDraft(`reply ${ticketId}`, '')
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const reply = desk.useReply(ticketId, discard)

  function submit() {
    const isEmpty = message.trim() === ''
    setFault(isEmpty ? ownMessages.ticketMessageMissing : null)
    if (isEmpty) field.current?.focus()
    else if (!reply.isPending) reply.mutate(message)
  }

  return (
    <form
      noValidate
      aria-label="Reply"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Your reply" error={fault}>
        <Textarea
          ref={field}
          name="reply"
          required
          maxLength={TICKET_MESSAGE_MAX}
          value={message}
          onChange={(event) => {
            write(event.target.value)
            setFault(null)
            reply.reset()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            submit()
          }}
        />
      </Field>
      {reply.isError && (
        <Notice tone="danger">
          {explain(reply.error, 'Your reply could not be sent. Your draft is saved. Please try again.')}
        </Notice>
      )}
      <Button type="submit" variant="primary" busy={reply.isPending} className="self-start">
        Send reply
      </Button>
    </form>
  )
}
