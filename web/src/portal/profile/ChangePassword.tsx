import { PASSWORD_MIN } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { changePasswordFailure } from '../../app/auth-messages.ts'
import { changePassword } from '../../app/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'

const empty = { current: '', next: '' }

export function ChangePassword({ username }: { username: string }) {
  const [passwords, setPasswords] = useState(empty)
  const [feedback, setFeedback] = useState<{ tone: 'danger' | 'success'; text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)

  function edit(change: Partial<typeof empty>) {
    setPasswords({ ...passwords, ...change })
    setFeedback(null)
  }

  async function submit() {
    const fault = faultIn(passwords)
    if (fault) return setFeedback({ tone: 'danger', text: fault })
    setBusy(true)
    setFeedback(null)
    try {
      const text = await changePassword(passwords.current, passwords.next)
      setPasswords(empty)
      setFeedback({ tone: 'success', text })
    } catch (error) {
      setFeedback({ tone: 'danger', text: changePasswordFailure(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void submit()
      }}
    >
      {/* Password managers want to know whose password changes. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label="Current password">
        <PasswordInput
          name="current-password"
          autoComplete="current-password"
          required
          value={passwords.current}
          onChange={(event) => edit({ current: event.target.value })}
        />
      </Field>
      <Field label="New password" hint="At least 8 characters. Other devices are signed out.">
        <PasswordInput
          name="new-password"
          autoComplete="new-password"
          required
          value={passwords.next}
          onChange={(event) => edit({ next: event.target.value })}
        />
      </Field>
      {feedback && <Notice tone={feedback.tone}>{feedback.text}</Notice>}
      <Button type="submit" busy={isBusy} className="self-start">
        {isBusy ? messages.pleaseWait : 'Change password'}
      </Button>
    </form>
  )
}

function faultIn({ current, next }: typeof empty): string | null {
  if (current === '' || next === '') return messages.fillInAllFields
  return next.length < PASSWORD_MIN ? messages.passwordTooShort : null
}
