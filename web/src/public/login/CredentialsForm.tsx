import { Link } from '@tanstack/react-router'
import { EMAIL_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import type { FormState } from '../../common/forms/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import type { LoginMode, LoginValues } from './credentials.ts'

type CredentialsFormProps = { mode: LoginMode; form: FormState<LoginValues> }

export function CredentialsForm({ mode, form }: CredentialsFormProps) {
  const isSignIn = mode === 'sign-in'
  const idle = isSignIn ? 'Sign In' : 'Create Account'
  return (
    <Form form={form}>
      <Field label="Username">
        <Input
          {...form.bind('username')}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
        />
      </Field>
      <Field label="Password" hint={isSignIn ? undefined : 'At least 8 characters'}>
        <PasswordInput
          {...form.bind('password')}
          autoComplete={isSignIn ? 'current-password' : 'new-password'}
          required
        />
      </Field>
      {!isSignIn && (
        <Field label="Email" optional hint="For password resets and account notices">
          <Input {...form.bind('email')} type="email" autoComplete="email" maxLength={EMAIL_MAX} />
        </Field>
      )}
      <FormFeedback form={form} />
      <Button type="submit" variant="primary" size="lg" busy={form.isBusy} className="mt-1 w-full">
        {form.isBusy ? messages.pleaseWait : idle}
      </Button>
      {isSignIn && (
        <Link to="/forgot-password" className="self-center rounded-sm p-1 text-muted text-sm hover:text-ink">
          Forgot password?
        </Link>
      )}
    </Form>
  )
}
