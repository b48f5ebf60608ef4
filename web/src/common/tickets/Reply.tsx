import { TICKET_MESSAGE_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { Ticket } from '@trunkline/contract/tickets'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { FormFeedback } from '../forms/FormFeedback.tsx'
import { useForm } from '../forms/use-form.ts'
import { useDraft } from '../use-draft.ts'
import type { TicketDesk } from './desk.ts'

const blank = { message: '' }

type ReplyProps<T extends Ticket> = {
  desk: TicketDesk<T>
  ticketId: number
  /** Buttons that insert a text into the reply. */
  tools?: ((insert: (text: string) => void) => ReactNode) | undefined
}

/** The draft is kept until the reply has been sent. */
export function Reply<T extends Ticket>({ desk, ticketId, tools }: ReplyProps<T>) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [draft, write, discard] = useDraft(`reply ${ticketId}`, blank)
  const form = useForm({
    initial: blank,
    state: [draft, write],
    validate: ({ message }) => (message.trim() === '' ? { message: ownMessages.ticketMessageMissing } : {}),
    submit: async (sent) => {
      await desk.reply(ticketId, sent.message)
      discard(sent)
    },
    failed: 'Your reply could not be sent. Your draft is saved. Please try again.',
  })

  function insert(text: string) {
    const { message } = form.values
    form.edit({ message: message.trim() === '' ? text : `${message.trimEnd()}\n\n${text}` })
    box.current?.focus()
  }

  return (
    <Form form={form} label="Reply" className="flex flex-col gap-3">
      {tools?.(insert)}
      <Field label="Your reply" error={form.errors.message}>
        <Textarea
          {...form.bind('message')}
          ref={box}
          required
          maxLength={TICKET_MESSAGE_MAX}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            form.submit()
          }}
        />
      </Field>
      <FormFeedback form={form} />
      <Button type="submit" variant="primary" busy={form.isBusy} className="self-start">
        Send reply
      </Button>
    </Form>
  )
}
