import {
  CONTACT_MESSAGE_MAX,
  CONTACT_NAME_MAX,
  CONTACT_PHONE_MAX,
  EMAIL_MAX,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import {
  type ChangeEvent,
  type FormEvent,
  type RefObject,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { ApiError, api } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import {
  type ContactFaults,
  type ContactField,
  type ContactText,
  contactFaults,
  contactFields,
  emptyContact,
  trimmed,
} from './contact-rules.ts'

const DEMO_REQUEST = 'I would like to schedule a demo.'

export type ContactFormHandle = { requestDemo: () => void }

type Outcome = { tone: 'success' | 'danger'; text: string }

export function ContactForm({ handle }: { handle: RefObject<ContactFormHandle | null> }) {
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(emptyContact)
  const [faults, setFaults] = useState<ContactFaults>({})
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)

  useImperativeHandle(handle, () => ({
    requestDemo() {
      // Words somebody wrote are never overwritten.
      setTyped((before) => ({ ...before, message: before.message || DEMO_REQUEST }))
      setOutcome(undefined)
      form.current?.scrollIntoView({ block: 'center' })
      focusField('name', { preventScroll: true })
    },
  }))

  function focusField(field: ContactField, options?: FocusOptions) {
    const control = form.current?.elements.namedItem(field)
    if (control instanceof HTMLElement) control.focus(options)
  }

  function show(found: ContactFaults) {
    setFaults(found)
    const first = contactFields.find((field) => found[field])
    if (first) focusField(first)
  }

  function type(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
    const field = event.target.name as ContactField
    setTyped({ ...typed, [field]: event.target.value })
    setFaults({ ...faults, [field]: undefined })
    setOutcome(undefined)
  }

  async function send(event: FormEvent) {
    event.preventDefault()
    setOutcome(undefined)
    const found = contactFaults(typed)
    show(found)
    if (Object.keys(found).length > 0) return

    setBusy(true)
    try {
      await api('POST /api/contact', { body: trimmed(typed) })
      setTyped(emptyContact)
      setOutcome({ tone: 'success', text: ownMessages.contactReceived })
    } catch (error) {
      const refused = faultsOf(error)
      show(refused)
      if (Object.keys(refused).length === 0) setOutcome({ tone: 'danger', text: sentenceOf(error) })
    } finally {
      setBusy(false)
    }
  }

  const control = (field: ContactField) => ({ name: field, value: typed[field], onChange: type })

  return (
    <form ref={form} noValidate aria-label="Contact" onSubmit={send} className="grid gap-5 sm:grid-cols-2">
      <Field label="Full name" error={faults.name} className="sm:col-span-2">
        <Input {...control('name')} autoComplete="name" required maxLength={CONTACT_NAME_MAX} />
      </Field>
      <Field label="Email address" error={faults.email}>
        <Input {...control('email')} type="email" autoComplete="email" required maxLength={EMAIL_MAX} />
      </Field>
      <Field label="Phone number" optional error={faults.phone}>
        <Input {...control('phone')} type="tel" autoComplete="tel" maxLength={CONTACT_PHONE_MAX} />
      </Field>
      <Field label="Message" error={faults.message} className="sm:col-span-2">
        <Textarea {...control('message')} rows={5} required maxLength={CONTACT_MESSAGE_MAX} />
      </Field>
      {outcome && (
        <Notice tone={outcome.tone} className="sm:col-span-2">
          {outcome.text}
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={isBusy}
        className="sm:col-span-2 sm:justify-self-start"
      >
        Send Message
      </Button>
    </form>
  )
}

/** What the server found wrong, as far as it concerns a field of this form. */
function faultsOf(error: unknown): ContactFaults {
  const known = (field: string): field is ContactField => (contactFields as readonly string[]).includes(field)
  const faults: Partial<ContactText> = {}
  for (const { field, message } of error instanceof ApiError ? error.fields : []) {
    if (known(field)) faults[field] = message
  }
  return faults
}

const sentenceOf = (error: unknown): string =>
  (error instanceof ApiError && error.message) || ownMessages.contactFailed
