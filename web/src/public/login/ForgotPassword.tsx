import { Link } from '@tanstack/react-router'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useSite } from '../../app/site.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { Feedback } from './CredentialsForm.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { outcomeOf } from './progress.ts'

/** The answer is the same whether the address is known or not, so this screen tells nobody who has an account. */
export function ForgotPassword() {
  usePageTitle('Forgot password')
  const mailbox = useSite()?.demo?.mailbox_url
  const [email, setEmail] = useState('')
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function submit() {
    const address = email.trim().toLowerCase()
    if (!address) return setFeedback({ tone: 'danger', text: ownMessages.emailInvalid })
    setBusy(true)
    setFeedback(null)
    try {
      await api('POST /api/auth/forgot-password', { body: { email: address } })
      setFeedback({ tone: 'success', text: ownMessages.resetMailSent })
    } catch (error) {
      setFeedback({ tone: 'danger', text: failure(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <LoginFrame
      title="Forgot your password?"
      lead="Enter your email and we’ll send a reset link."
      progress={{ filled: [email.trim() !== ''], outcome: outcomeOf(isBusy, feedback?.tone) }}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void submit()
        }}
      >
        <Field label="Email address">
          <Input
            type="email"
            name="email"
            autoComplete="email"
            required
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              setFeedback(null)
            }}
          />
        </Field>
        {feedback && (
          <Notice tone={feedback.tone}>
            {feedback.text}
            {feedback.tone === 'success' && mailbox && (
              <>
                {' '}
                <a href={mailbox} className="underline underline-offset-4">
                  Open the sandbox mailbox
                </a>
              </>
            )}
          </Notice>
        )}
        <Button type="submit" variant="primary" size="lg" busy={isBusy} className="mt-1 w-full">
          {isBusy ? messages.pleaseWait : 'Send reset link'}
        </Button>
        <Link to="/login" className="self-center rounded-sm p-1 text-muted text-sm hover:text-ink">
          Back to sign in
        </Link>
      </form>
    </LoginFrame>
  )
}

function failure(error: unknown): string {
  // A fault of one field says more than "some of the input is not valid".
  const fault = error instanceof ApiError ? error.fields[0]?.message : undefined
  return fault ?? explain(error, messages.resetMailFailed)
}
