import { Link } from '@tanstack/react-router'
import { EMAIL_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import type { Credentials, LoginMode } from './credentials.ts'

export type Feedback = { tone: 'danger' | 'success'; text: string }

type CredentialsFormProps = {
  mode: LoginMode
  credentials: Credentials
  feedback: Feedback | null
  isBusy: boolean
  /** Asked for at sign-up only. */
  email: string
  onEdit: (change: Partial<Credentials>) => void
  onEmail: (typed: string) => void
  onSubmit: () => void
}

export function CredentialsForm({
  mode,
  credentials,
  feedback,
  isBusy,
  email,
  onEdit,
  onEmail,
  onSubmit,
}: CredentialsFormProps) {
  const isSignIn = mode === 'sign-in'
  const idle = isSignIn ? 'Sign In' : 'Create Account'
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit()
      }}
    >
      <Field label="Username">
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          value={credentials.username}
          onChange={(event) => onEdit({ username: event.target.value })}
        />
      </Field>
      <Field label="Password" hint={isSignIn ? undefined : 'At least 8 characters'}>
        <PasswordInput
          name="password"
          autoComplete={isSignIn ? 'current-password' : 'new-password'}
          required
          value={credentials.password}
          onChange={(event) => onEdit({ password: event.target.value })}
        />
      </Field>
      {!isSignIn && (
        <Field label="Email" optional hint="For password resets and account notices">
          <Input
            type="email"
            name="email"
            autoComplete="email"
            maxLength={EMAIL_MAX}
            value={email}
            onChange={(event) => onEmail(event.target.value)}
          />
        </Field>
      )}
      {feedback && <Notice tone={feedback.tone}>{feedback.text}</Notice>}
      <Button type="submit" variant="primary" size="lg" busy={isBusy} className="mt-1 w-full">
        {isBusy ? messages.pleaseWait : idle}
      </Button>
      {isSignIn && (
        <Link to="/forgot-password" className="self-center rounded-sm p-1 text-muted text-sm hover:text-ink">
          Forgot password?
        </Link>
      )}
    </form>
  )
}
