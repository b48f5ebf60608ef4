import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { PASSWORD_MIN } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { ApiError, api } from '../../app/api.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { forgetSession } from '../../app/session.ts'
import { FormFeedback } from '../../common/forms/FormFeedback.tsx'
import { useForm } from '../../common/forms/use-form.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { outcomeOf } from './progress.ts'

export function ResetPassword() {
  usePageTitle('Set a new password')
  const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') })
  const navigate = useNavigate()
  const [isExpired, setExpired] = useState(!token)
  const form = useForm({
    initial: { password: '', endsSip: true },
    check: ({ password }) => (password.length < PASSWORD_MIN ? messages.passwordTooShort : null),
    submit: async ({ password, endsSip }) => {
      try {
        const sip_access = endsSip ? 'end' : 'keep'
        await api('POST /api/auth/reset-password', {
          body: { token: token ?? '', newPassword: password, sip_access },
        })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'reset_link_dead') throw error
        return setExpired(true)
      }
      forgetSession()
      await navigate({ to: '/login', search: { reset: 'done' }, replace: true })
    },
    failed: messages.resetPasswordFailed,
  })

  return (
    <LoginFrame
      title="Set a new password"
      lead={
        isExpired
          ? 'This link no longer works. Your account is not affected.'
          : 'This replaces your old password and signs you out everywhere.'
      }
      progress={{
        filled: [form.values.password !== ''],
        outcome: outcomeOf(form.isBusy, isExpired ? 'danger' : form.feedback?.tone),
      }}
    >
      {isExpired ? (
        <div className="flex flex-col gap-4">
          <Notice tone="danger">{ownMessages.resetLinkDead}</Notice>
          <Link to="/forgot-password" className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Request a new link
          </Link>
        </div>
      ) : (
        <Form form={form}>
          <Field label="New password" hint="At least 8 characters" error={form.errors.password}>
            <PasswordInput {...form.bind('password')} autoComplete="new-password" required />
          </Field>
          <Checkbox
            {...form.bindChecked('endsSip')}
            label="Disconnect my phones too"
            hint="Deletes your SIP password and trusted addresses, and ends their calls."
          />
          <FormFeedback form={form} />
          <Button type="submit" variant="primary" size="lg" busy={form.isBusy} className="mt-1 w-full">
            {form.isBusy ? messages.pleaseWait : 'Set new password'}
          </Button>
        </Form>
      )}
    </LoginFrame>
  )
}
