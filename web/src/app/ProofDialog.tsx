import { ownMessages } from '@trunkline/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { Field } from '../ui/Field.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { PasswordInput } from '../ui/PasswordInput.tsx'
import { api, explain } from './api.ts'
import { endProof } from './proof.ts'
import { useUser } from './session.ts'

/** Asks for the password before a sensitive change. */
export function ProofDialog() {
  const username = useUser()?.username
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  // The session ended elsewhere.
  useEffect(() => {
    if (username === undefined) endProof(false)
  }, [username])

  async function submit() {
    setBusy(true)
    setFault(null)
    try {
      await api('POST /api/auth/prove', { body: { password } })
      endProof(true)
    } catch (error) {
      setFault(explain(error, 'Your password could not be checked. Please try again.'))
      setBusy(false)
    }
  }

  return (
    <FormDialog
      form={{ ref: form, isBusy, failure: fault, submit: () => void submit() }}
      title="Confirm it's you"
      description={ownMessages.passwordNeeded}
      label="Confirm your password"
      action="Confirm"
      isDisabled={password === ''}
      maxWidth={440}
      onClose={() => endProof(false)}
    >
      {/* For password managers. */}
      <input type="text" name="username" autoComplete="username" value={username ?? ''} readOnly hidden />
      <Field label="Password">
        <PasswordInput
          name="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(event) => {
            setPassword(event.target.value)
            setFault(null)
          }}
        />
      </Field>
    </FormDialog>
  )
}
