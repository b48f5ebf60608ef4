import type { AdminUser } from '@trunkline/contract/admin-users'
import { REASON_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { type UserField, userFieldNames, userFields } from '@trunkline/contract/user-fields'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { HOME_COUNTRY_HINT, HomeCountrySelect } from '../../common/HomeCountrySelect.tsx'
import { newRequestKey } from '../../common/request-key.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { CountrySelect } from './CountrySelect.tsx'
import { rereadUsers, userQuery } from './queries.ts'
import { changesOf, comparison, editOf, labels, validateUser, valuesOf } from './user-form.ts'

/** Edits a user: every field on the page of the user, the most used ones in the drawer. */
export function UserForm({ user, isWhole = false }: { user: AdminUser; isWhole?: boolean }) {
  const [requestKey, setRequestKey] = useState(newRequestKey)
  const self = useUser()
  const form = useEditForm({
    opened: user,
    toValues: valuesOf,
    ...comparison,
    validate: validateUser,
    submit: async (values, base) => {
      if (changesOf(values, base).length === 0) return toast.info(messages.noChanges)
      const answer = await api('PATCH /api/admin/user/update', { body: editOf(values, base, requestKey) })
      form.restart(answer.user)
      setRequestKey(newRequestKey())
      toast.success(messages.userUpdated)
      if (answer.sip_password_ended)
        toast.info('The new username reset the SIP password. Create a new one for the phones of this user.')
      void rereadUsers()
    },
    reload: async ({ id }) => (await queryClient.fetchQuery({ ...userQuery(id), staleTime: 0 })).user,
    failed: messages.userUpdateFailed,
  })
  const { base, bind, bindChecked, errors, values } = form
  const changed = changesOf(values, base)
  const isOwn = base.id === self?.id

  const hints: Partial<Record<UserField, ReactNode>> = {
    username: changed.includes('username') && 'Changing the username resets the SIP password.',
    home_country: HOME_COUNTRY_HINT,
    host: 'Use “dynamic” or the IP address that calls come from.',
    websiteip: 'Leave blank to show the default of the service.',
  }

  return (
    <Form form={form} label={`Edit ${base.username}`}>
      <div className="grid gap-4 sm:grid-cols-2">
        {userFieldNames
          .filter((name) => isWhole || userFields[name].isInShortForm)
          .map((name) => (
            <Field key={name} label={labels[name]} error={errors[name]} hint={hints[name]}>
              {controlOf(name, { ...bind(name), autoComplete: 'off' })}
            </Field>
          ))}
        <Field
          label={labels.bal}
          error={errors.bal}
          hint="In dollars. Booked as an adjustment with a reason."
        >
          <Input {...bind('bal')} required inputMode="decimal" autoComplete="off" className="figures" />
        </Field>
      </div>
      {changed.includes('bal') && (
        <Field label={labels.reason} error={errors.reason}>
          <Textarea {...bind('reason')} required rows={2} maxLength={REASON_MAX} />
        </Field>
      )}
      <Checkbox
        {...bindChecked('is_premium')}
        label={labels.is_premium}
        hint="Can select premium routes. Takes effect immediately."
      />
      {isWhole && (
        <Checkbox
          {...bindChecked('is_admin')}
          label={labels.is_admin}
          hint={
            isOwn
              ? 'Only another administrator can remove your own rights.'
              : 'Can see and change everything in this panel.'
          }
          disabled={isOwn}
        />
      )}
      <ConflictNotice form={form} />
      {form.failure && <Notice tone="danger">{form.failure}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={form.isBusy}>
          Update User
        </Button>
        {changed.length > 0 && (
          <Button variant="ghost" disabled={form.isBusy} onClick={form.discard}>
            Discard changes
          </Button>
        )}
      </div>
    </Form>
  )
}

type Binding = {
  name: UserField
  value: string
  autoComplete: string
  onChange: (event: { target: { value: string } }) => void
}

/** Fields that are not a plain text input. */
const inputProps: Partial<Record<UserField, ComponentProps<typeof Input>>> = {
  email: { type: 'email' },
  username: { required: true, spellCheck: false },
  host: { required: true, spellCheck: false, className: 'font-mono' },
  websiteip: { spellCheck: false, className: 'font-mono' },
}

function controlOf(name: UserField, binding: Binding) {
  if (name === 'country') return <CountrySelect {...binding} />
  if (name === 'home_country') return <HomeCountrySelect {...binding} />
  return <Input {...binding} maxLength={userFields[name].max} {...inputProps[name]} />
}
