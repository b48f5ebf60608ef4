import type { AdminUser } from '@trunkline/contract/admin-users'
import {
  COMPANY_MAX,
  EMAIL_MAX,
  HOST_MAX,
  PERSON_NAME_MAX,
  REASON_MAX,
  USERNAME_MAX,
} from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { useRef, useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { HOME_COUNTRY_HINT, HomeCountrySelect } from '../../common/HomeCountrySelect.tsx'
import { newRequestKey } from '../../common/request-key.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { CountrySelect } from './CountrySelect.tsx'
import { rereadUsers, userQuery } from './queries.ts'
import {
  changedFields,
  editOf,
  type Faults,
  type FieldName,
  faultsFrom,
  faultsIn,
  labels,
  rebase,
  type Typed,
  typedFrom,
} from './user-form.ts'

type Theirs = ReturnType<typeof rebase>['theirs']

/**
 * Sends only what was changed. Opened with what was read then: whoever saves first wins, and the other is shown what
 * changed, with everything they typed still there.
 */
export function UserForm({ user: opened, isWhole = false }: { user: AdminUser; isWhole?: boolean }) {
  const [user, setUser] = useState(opened)
  const [typed, setTyped] = useState(() => typedFrom(opened))
  const [reason, setReason] = useState('')
  const [requestKey, setRequestKey] = useState(newRequestKey)
  const [faults, setFaults] = useState<Faults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<Theirs>([])
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const self = useUser()
  const changed = changedFields(typed, user)

  function tellFaults(found: Faults): boolean {
    setFaults(found)
    const elements = [...(form.current?.elements ?? [])] as HTMLInputElement[]
    const first = elements.find(({ name }) => Object.hasOwn(found, name))
    first?.focus()
    return first !== undefined
  }

  function adopt(saved: AdminUser) {
    setUser(saved)
    setTyped(typedFrom(saved))
    setReason('')
    setRequestKey(newRequestKey())
    setTheirs([])
  }

  async function save() {
    if (isBusy) return
    setRefusal(null)
    if (changed.length === 0) return toast.info(messages.noChanges)
    if (tellFaults(faultsIn(typed, changed, reason))) return
    setBusy(true)
    try {
      const answer = await api('PATCH /api/admin/user/update', {
        body: editOf(typed, user, changed, { reason, requestKey }),
      })
      adopt(answer.user)
      toast.success(messages.userUpdated)
      if (answer.sip_password_ended)
        toast.info('The new name ended the SIP password. Make a new one for the phones of this user.')
      void rereadUsers()
    } catch (error) {
      await tell(error)
    } finally {
      setBusy(false)
    }
  }

  async function tell(error: unknown) {
    const isTold = tellFaults(error instanceof ApiError ? faultsFrom(error.fields) : {})
    if (!isTold) setRefusal(explain(error, messages.userUpdateFailed))
    if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile') return
    const now = await queryClient.fetchQuery({ ...userQuery(user.id), staleTime: 0 }).catch(() => null)
    if (!now) return
    const rebased = rebase(typed, user, now.user)
    setUser(now.user)
    setTyped(rebased.typed)
    setTheirs(rebased.theirs)
  }

  const edit = (change: Partial<Typed>) => {
    setTyped({ ...typed, ...change })
    setFaults({})
    setRefusal(null)
  }
  const bind = (name: Exclude<FieldName, 'is_premium' | 'is_admin'>) => ({
    name,
    value: typed[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => edit({ [name]: event.target.value }),
  })
  const field = (name: FieldName) => ({ label: labels[name], error: faults[name] })

  return (
    <form
      ref={form}
      noValidate
      aria-label={`Edit ${user.username}`}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field {...field('email')}>
          <Input {...bind('email')} type="email" maxLength={EMAIL_MAX} />
        </Field>
        <Field
          {...field('username')}
          hint={changed.includes('username') && 'A new name ends the SIP password of the phones.'}
        >
          <Input {...bind('username')} required maxLength={USERNAME_MAX} spellCheck={false} />
        </Field>
        {isWhole && (
          <Field {...field('name')}>
            <Input {...bind('name')} maxLength={PERSON_NAME_MAX} />
          </Field>
        )}
        <Field {...field('company')}>
          <Input {...bind('company')} maxLength={COMPANY_MAX} />
        </Field>
        <Field {...field('country')}>
          <CountrySelect {...bind('country')} />
        </Field>
        {isWhole && (
          <Field {...field('home_country')} hint={HOME_COUNTRY_HINT}>
            <HomeCountrySelect {...bind('home_country')} />
          </Field>
        )}
        {isWhole && (
          <Field {...field('host')} hint="“dynamic”, or the address that calls come from.">
            <Input {...bind('host')} required maxLength={HOST_MAX} spellCheck={false} className="font-mono" />
          </Field>
        )}
        <Field {...field('websiteip')} hint="Left empty, the service’s own is shown.">
          <Input {...bind('websiteip')} maxLength={HOST_MAX} spellCheck={false} className="font-mono" />
        </Field>
        <Field {...field('bal')} hint="In dollars. Booked as an adjustment, with a reason.">
          <Input {...bind('bal')} required inputMode="decimal" className="figures" />
        </Field>
      </div>
      {changed.includes('bal') && (
        <Field label="Reason for the new balance" error={faults.reason}>
          <Textarea
            name="reason"
            required
            rows={2}
            maxLength={REASON_MAX}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value)
              setFaults({})
              setRefusal(null)
            }}
          />
        </Field>
      )}
      <Checkbox
        name="is_premium"
        label={labels.is_premium}
        hint="May select premium routes, at once and without signing in again."
        checked={typed.is_premium}
        onChange={(event) => edit({ is_premium: event.target.checked })}
      />
      {isWhole && (
        <Checkbox
          name="is_admin"
          label={labels.is_admin}
          hint={
            user.id === self?.id
              ? 'Your own rights can be taken away by another administrator only.'
              : 'Sees and changes everything in this panel.'
          }
          disabled={user.id === self?.id}
          checked={typed.is_admin}
          onChange={(event) => edit({ is_admin: event.target.checked })}
        />
      )}
      {(refusal || theirs.length > 0) && (
        <Notice tone="danger">
          {refusal && <p>{refusal}</p>}
          {theirs.length > 0 && <ChangedMeanwhile theirs={theirs} />}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isBusy}>
          Update User
        </Button>
        {changed.length > 0 && (
          <Button variant="ghost" disabled={isBusy} onClick={() => adopt(user)}>
            Discard changes
          </Button>
        )}
      </div>
    </form>
  )
}

const ChangedMeanwhile = ({ theirs }: { theirs: Theirs }) => (
  <>
    <ul className="mt-1.5 list-disc pl-4">
      {theirs.map(({ label, was, is }) => (
        <li key={label}>
          {label}: <span className="text-muted line-through">{was}</span> → <strong>{is}</strong>
        </li>
      ))}
    </ul>
    <p className="mt-1.5">What you typed is still here. Press Update User to save it over this.</p>
  </>
)
