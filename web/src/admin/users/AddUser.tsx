import type { AdminUser } from '@trunkline/contract/admin-users'
import { COMPANY_MAX, EMAIL_MAX, PASSWORD_MIN, USERNAME_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { toast } from '../../ui/toast.ts'
import { CountrySelect } from './CountrySelect.tsx'
import { rereadUsers } from './queries.ts'
import { ShownOnce } from './ShownOnce.tsx'

const blank = { username: '', password: '', email: '', company: '', country: '', is_premium: false }
type AddUserProps = { onClose: () => void; onAdded: (user: AdminUser) => void }

/** A generated password is shown once, before the dialog closes. */
export function AddUser({ onClose, onAdded }: AddUserProps) {
  const [added, setAdded] = useState<{ user: AdminUser; password: string } | null>(null)
  const form = useForm({
    initial: blank,
    validate,
    submit: async ({ password, ...rest }) => {
      const { user, password: generated } = await api('POST /api/user/add', {
        body: { ...rest, ...(password !== '' && { password }) },
      })
      void rereadUsers()
      toast.success(`${user.username} was added.`)
      if (generated !== null) return setAdded({ user, password: generated })
      onClose()
      onAdded(user)
    },
    failed: messages.userAddFailed,
  })
  const { bind, errors } = form

  if (added)
    return (
      <ShownOnce
        title={`Password of ${added.user.username}`}
        text="Copy it now. It is not shown again. The user can change it in their profile."
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
      form={form}
      title="Add User"
      description="They can sign in immediately."
      label="Add User"
      action="Add User"
      className="grid gap-4 sm:grid-cols-2"
      onClose={onClose}
    >
      <Field label="Username" error={errors.username}>
        <Input
          {...bind('username')}
          required
          maxLength={USERNAME_MAX}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field label="Password" optional error={errors.password} hint="Leave blank to generate one.">
        <PasswordInput {...bind('password')} autoComplete="new-password" />
      </Field>
      <Field label="Email" optional error={errors.email}>
        <Input {...bind('email')} type="email" maxLength={EMAIL_MAX} autoComplete="off" />
      </Field>
      <Field label="Company" optional error={errors.company}>
        <Input {...bind('company')} maxLength={COMPANY_MAX} autoComplete="off" />
      </Field>
      <Field label="Country" optional error={errors.country}>
        <CountrySelect {...bind('country')} autoComplete="off" />
      </Field>
      <Checkbox {...form.bindChecked('is_premium')} label="Premium" className="self-end sm:pb-2.5" />
    </FormDialog>
  )
}

const validate = ({ username, password }: typeof blank) => ({
  ...(username.trim() === '' && { username: messages.fillInAllFields }),
  ...(password !== '' && password.length < PASSWORD_MIN && { password: messages.passwordTooShort }),
})
