import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { PASSWORD_MIN } from '@trunkline/contract/limits'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { forgetSession } from '../../app/session.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { outcomeOf } from './progress.ts'

type State = 'open' | 'busy' | 'dead'

export function ResetPassword() {
  usePageTitle('Set a new password')
  const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') })
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [endsSip, setEndsSip] = useState(true)
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<State>(token ? 'open' : 'dead')

  async function submit() {
    if (!token) return setState('dead')
    if (password.length < PASSWORD_MIN) return setError(messages.passwordTooShort)
    setState('busy')
    setError(null)
    try {
      await api('POST /api/auth/reset-password', {
        body: { token, newPassword: password, sip_access: endsSip ? 'end' : 'keep' },
      })
      forgetSession()
      await navigate({ to: '/login', search: { reset: 'done' }, replace: true })
    } catch (failure) {
      const isDead = failure instanceof ApiError && failure.code === 'reset_link_dead'
      setState(isDead ? 'dead' : 'open')
      if (!isDead) setError(explain(failure, messages.resetPasswordFailed))
    }
  }

  const isDead = state === 'dead'
  return (
    <LoginFrame
      title="Set a new password"
      lead={
        isDead
          ? 'This link no longer works. Your account is not affected.'
          : 'This replaces your old password and signs you out everywhere.'
      }
      progress={{
        filled: [password !== ''],
        outcome: outcomeOf(state === 'busy', isDead || error ? 'danger' : undefined),
      }}
    >
      {isDead ? (
        <div className="flex flex-col gap-4">
          <Notice tone="danger">{ownMessages.resetLinkDead}</Notice>
          <Link to="/forgot-password" className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Request a new link
          </Link>
        </div>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (state === 'open') void submit()
          }}
        >
          <Field label="New password" hint="At least 8 characters">
            <PasswordInput
              name="new-password"
              autoComplete="new-password"
              required
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                setError(null)
              }}
            />
          </Field>
          <Checkbox
            label="Disconnect my phones too"
            hint="Deletes your SIP password and trusted addresses, and ends their calls."
            checked={endsSip}
            onChange={(event) => setEndsSip(event.target.checked)}
          />
          {error && <Notice tone="danger">{error}</Notice>}
          <Button type="submit" variant="primary" size="lg" busy={state === 'busy'} className="mt-1 w-full">
            {state === 'busy' ? messages.pleaseWait : 'Set new password'}
          </Button>
        </form>
      )}
    </LoginFrame>
  )
}
