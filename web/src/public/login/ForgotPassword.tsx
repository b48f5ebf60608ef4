import { Link } from '@tanstack/react-router'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { api } from '../../app/api.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useSite } from '../../app/site.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { outcomeOf } from './progress.ts'

/** The response is the same for known and unknown addresses, so this screen does not reveal who has an account. */
export function ForgotPassword() {
  usePageTitle('Forgot password')
  const mailbox = useSite()?.demo?.mailbox_url
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) => (email.trim() === '' ? { email: ownMessages.emailInvalid } : {}),
    submit: async ({ email }) => {
      await api('POST /api/auth/forgot-password', { body: { email: email.trim().toLowerCase() } })
      return ownMessages.resetMailSent
    },
    failed: messages.resetMailFailed,
  })
  const { feedback } = form

  return (
    <LoginFrame
      title="Forgot your password?"
      lead="Enter your email and we’ll send a reset link."
      progress={{
        filled: [form.values.email.trim() !== ''],
        outcome: outcomeOf(form.isBusy, form.errors.email ? 'danger' : feedback?.tone),
      }}
    >
      <Form form={form}>
        <Field label="Email address" error={form.errors.email}>
          <Input {...form.bind('email')} type="email" autoComplete="email" required />
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
        <Button type="submit" variant="primary" size="lg" busy={form.isBusy} className="mt-1 w-full">
          {form.isBusy ? messages.pleaseWait : 'Send reset link'}
        </Button>
        <Link to="/login" className="self-center rounded-sm p-1 text-muted text-sm hover:text-ink">
          Back to sign in
        </Link>
      </Form>
    </LoginFrame>
  )
}
