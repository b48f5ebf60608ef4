import type { AdminUser } from '@trunkline/contract/admin-users'
import { COMPANY_MAX, EMAIL_MAX, PASSWORD_MIN, USERNAME_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { useRef, useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { toast } from '../../ui/toast.ts'
import { CountrySelect } from './CountrySelect.tsx'
import { rereadUsers } from './queries.ts'
import { ShownOnce } from './ShownOnce.tsx'

const blank = { username: '', password: '', email: '', company: '', country: '', is_premium: false }
type Draft = typeof blank
type Faults = Partial<Record<keyof Draft, string>>
type AddUserProps = { onClose: () => void; onAdded: (user: AdminUser) => void }

/** Shown while it is mounted. A password that was made for the new user is shown once, before the dialog goes. */
export function AddUser({ onClose, onAdded }: AddUserProps) {
  const [draft, setDraft] = useState(blank)
  const [faults, setFaults] = useState<Faults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [added, setAdded] = useState<{ user: AdminUser; password: string } | null>(null)
  const fields = useRef<HTMLFormElement>(null)

  function tellFaults(found: Faults): boolean {
    setFaults(found)
    const elements = [...(fields.current?.elements ?? [])] as HTMLInputElement[]
    const first = elements.find(({ name }) => Object.hasOwn(found, name))
    first?.focus()
    return first !== undefined
  }

  async function submit() {
    setRefusal(null)
    if (isBusy || tellFaults(faultsIn(draft))) return
    setBusy(true)
    const { password, ...rest } = draft
    try {
      const { user, password: made } = await api('POST /api/user/add', {
        body: { ...rest, ...(password !== '' && { password }) },
      })
      void rereadUsers()
      toast.success(`${user.username} was added.`)
      if (made !== null) return setAdded({ user, password: made })
      onClose()
      onAdded(user)
    } catch (error) {
      const found = error instanceof ApiError ? error.fields : []
      const isTold = tellFaults(Object.fromEntries(found.map(({ field, message }) => [field, message])))
      if (!isTold) setRefusal(explain(error, messages.userAddFailed))
    } finally {
      setBusy(false)
    }
  }

  const edit = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change })
    setFaults({})
    setRefusal(null)
  }
  const bind = (name: Exclude<keyof Draft, 'is_premium'>) => ({
    name,
    value: draft[name],
    autoComplete: name === 'password' ? 'new-password' : 'off',
    onChange: (event: { target: { value: string } }) => edit({ [name]: event.target.value }),
  })

  if (added)
    return (
      <ShownOnce
        title={`The password of ${added.user.username}`}
        text="Hand it over now: it is not shown again. They can change it in their profile."
        username={added.user.username}
        password={added.password}
        onClose={() => {
          onClose()
          onAdded(added.user)
        }}
      />
    )

  return (
    <FormDialog
      title="Add User"
      description="They can sign in at once."
      label="Add User"
      action="Add User"
      isBusy={isBusy}
      className="grid gap-4 sm:grid-cols-2"
      ref={fields}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label="Username" error={faults.username}>
        <Input
          {...bind('username')}
          required
          maxLength={USERNAME_MAX}
          spellCheck={false}
          autoCapitalize="none"
        />
      </Field>
      <Field label="Password" optional error={faults.password} hint="Left empty, one is made.">
        <PasswordInput {...bind('password')} />
      </Field>
      <Field label="Email" optional error={faults.email}>
        <Input {...bind('email')} type="email" maxLength={EMAIL_MAX} />
      </Field>
      <Field label="Company" optional error={faults.company}>
        <Input {...bind('company')} maxLength={COMPANY_MAX} />
      </Field>
      <Field label="Country" optional error={faults.country}>
        <CountrySelect {...bind('country')} />
      </Field>
      <Checkbox
        name="is_premium"
        label="Premium"
        className="self-end sm:pb-2.5"
        checked={draft.is_premium}
        onChange={(event) => edit({ is_premium: event.target.checked })}
      />
      {refusal && (
        <Notice tone="danger" className="sm:col-span-2">
          {refusal}
        </Notice>
      )}
    </FormDialog>
  )
}

function faultsIn({ username, password }: Draft): Faults {
  return {
    ...(username.trim() === '' && { username: messages.fillInAllFields }),
    ...(password !== '' && password.length < PASSWORD_MIN && { password: messages.passwordTooShort }),
  }
}
