import {
  CONTACT_MESSAGE_MAX,
  CONTACT_NAME_MAX,
  CONTACT_PHONE_MAX,
  EMAIL_MAX,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { type RefObject, useImperativeHandle } from 'react'
import { api } from '../../app/api.ts'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { emptyContact, trimmed, validateContact } from './contact-rules.ts'

const DEMO_REQUEST = 'I would like to schedule a demo.'

export type ContactFormHandle = { requestDemo: () => void }

export function ContactForm({ handle }: { handle: RefObject<ContactFormHandle | null> }) {
  const form = useForm({
    initial: emptyContact,
    validate: validateContact,
    submit: async (values) => {
      await api('POST /api/contact', { body: trimmed(values) })
      form.reset(emptyContact)
      return ownMessages.contactReceived
    },
    failed: ownMessages.contactFailed,
  })
  const { values, errors, bind } = form

  useImperativeHandle(handle, () => ({
    requestDemo() {
      // A message that the visitor has typed is never overwritten.
      form.edit({ message: values.message || DEMO_REQUEST })
      form.ref.current?.scrollIntoView({ block: 'center' })
      const name = form.ref.current?.elements.namedItem('name')
      if (name instanceof HTMLElement) name.focus({ preventScroll: true })
    },
  }))

  return (
    <Form form={form} label="Contact" className="grid gap-5 sm:grid-cols-2">
      <Field label="Full name" error={errors.name} className="sm:col-span-2">
        <Input {...bind('name')} autoComplete="name" required maxLength={CONTACT_NAME_MAX} />
      </Field>
      <Field label="Email address" error={errors.email}>
        <Input {...bind('email')} type="email" autoComplete="email" required maxLength={EMAIL_MAX} />
      </Field>
      <Field label="Phone number" optional error={errors.phone}>
        <Input {...bind('phone')} type="tel" autoComplete="tel" maxLength={CONTACT_PHONE_MAX} />
      </Field>
      <Field label="Message" error={errors.message} className="sm:col-span-2">
        <Textarea {...bind('message')} rows={5} required maxLength={CONTACT_MESSAGE_MAX} />
      </Field>
      <FormFeedback form={form} className="sm:col-span-2" />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={form.isBusy}
        className="sm:col-span-2 sm:justify-self-start"
      >
        Send Message
      </Button>
    </Form>
  )
}
