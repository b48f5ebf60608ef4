import { PASSWORD_MIN } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { changePasswordFailure } from '../../app/auth-messages.ts'
import { changePassword } from '../../app/session.ts'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { rereadSessions } from './queries.ts'

const empty = { current: '', next: '' }

export function ChangePassword({ username }: { username: string }) {
  const form = useForm({
    initial: empty,
    check: ({ current, next }) => {
      if (current === '' || next === '') return messages.fillInAllFields
      return next.length < PASSWORD_MIN ? messages.passwordTooShort : null
    },
    submit: async ({ current, next }) => {
      const message = await changePassword(current, next)
      form.reset(empty)
      void rereadSessions()
      return message
    },
    failed: changePasswordFailure,
  })

  return (
    <Form form={form}>
      {/* Password managers need the username to find the entry to update. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label="Current password">
        <PasswordInput {...form.bind('current')} autoComplete="current-password" required />
      </Field>
      <Field label="New password" hint="At least 8 characters. Other devices are signed out.">
        <PasswordInput {...form.bind('next')} autoComplete="new-password" required />
      </Field>
      <FormFeedback form={form} />
      <Button type="submit" busy={form.isBusy} className="self-start">
        {form.isBusy ? messages.pleaseWait : 'Change password'}
      </Button>
    </Form>
  )
}
