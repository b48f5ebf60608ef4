import { useMutation } from '@tanstack/react-query'
import type { User } from '@trunkline/contract/accounts'
import { HOST_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import { type ProfileField, profileFieldNames, userFields } from '@trunkline/contract/user-fields'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { refresh } from '../../app/session.ts'
import { HOME_COUNTRY_HINT, HomeCountrySelect } from '../../common/HomeCountrySelect.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { toast } from '../../ui/toast.ts'
import { sipQuery } from '../connect/queries.ts'
import { rereadAddresses } from './Addresses.tsx'
import { HostState } from './HostState.tsx'
import {
  changeFrom,
  type Faults,
  faultsFrom,
  fieldNames,
  hostFault,
  type Typed,
  typedFrom,
  validateProfile,
} from './profile-form.ts'
import { profileQuery, sessionsQuery } from './queries.ts'

type Failure = { title: string; reason: string }

/** Save updates the profile and the host. A second button updates only the host, as the specification requires. */
export function ProfileForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [typed, setTyped] = useState(() => typedFrom(user))
  const [faults, setFaults] = useState<Faults>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const host = useMutation({
    mutationFn: (wanted: string) => api('POST /api/user/host', { body: { host: wanted } }),
    onSuccess: ({ host: kept }) => {
      setTyped((now) => ({ ...now, host: kept }))
      toast.success(messages.hostUpdated)
      keep((now) => ({ ...now, host: kept }))
      void rereadAddresses()
    },
    onError: (error) => tellFailure(messages.hostUpdateFailed, error),
  })
  const profile = useMutation({
    mutationFn: () => api('PATCH /api/user/profile', { body: changeFrom(typed) }),
    onSuccess: ({ user: saved, sip_password_ended }) => {
      setTyped((now) => ({ ...now, password: '' }))
      toast.success(messages.profileUpdated)
      if (sip_password_ended) toast.info('Your SIP password was reset. Create a new one for your phones.')
      keep(() => saved)
      void queryClient.invalidateQueries({ queryKey: sipQuery.queryKey })
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    onError: (error) => tellFailure(messages.profileUpdateFailed, error),
  })
  const isBusy = profile.isPending || host.isPending
  const isRenamed = !['', user.username].includes(typed.username.trim())

  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  function focusOn(name: keyof Typed) {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  function tellFaults(found: Faults): boolean {
    setFaults(found)
    setFailure(null)
    const first = fieldNames.find((name) => found[name])
    if (first) focusOn(first)
    return first !== undefined
  }

  function tellFailure(title: string, error: unknown) {
    const found = error instanceof ApiError ? faultsFrom(error.fields) : {}
    const isTold = tellFaults(found)
    setFailure({ title, reason: isTold ? '' : explain(error, '') })
  }

  async function save() {
    if (isBusy || tellFaults(validateProfile(typed))) return
    try {
      await profile.mutateAsync()
      if (typed.host.trim() !== user.host) await host.mutateAsync(typed.host)
      onDone()
    } catch {
      // The failed mutation has shown its error.
    }
  }

  function saveHost() {
    const fault = hostFault(typed.host)
    if (!tellFaults(fault ? { host: fault } : {})) host.mutate(typed.host)
  }

  const bind = (name: keyof Typed) => ({
    name,
    value: typed[name],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [name]: event.target.value })
      setFaults({ ...faults, [name]: undefined })
      setFailure(null)
    },
  })

  const hints: Partial<Record<ProfileField, ReactNode>> = {
    username:
      isRenamed &&
      'Changing your username resets your SIP password. Use the new username to sign in and on your phones.',
    home_country: HOME_COUNTRY_HINT,
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label="Update Profile"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {profileFieldNames.map((name) => (
        <Field
          key={name}
          label={userFields[name].label}
          optional={!required.includes(name)}
          error={faults[name]}
          hint={hints[name]}
        >
          {controlOf(name, bind(name))}
        </Field>
      ))}
      <Field
        label="Host"
        error={faults.host}
        hint="Enter “dynamic” if your phones register with a password. Otherwise enter the IP address or hostname your calls come from. An address stays pending until you register or call from it once with your SIP password."
      >
        <Input
          {...bind('host')}
          required
          maxLength={HOST_MAX}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <HostState host={typed.host.trim()} />
      <Field
        label="Password"
        optional
        error={faults.password}
        hint="At least 8 characters. Other devices are signed out."
      >
        <PasswordInput {...bind('password')} autoComplete="new-password" placeholder="Enter new password" />
      </Field>
      {failure && (
        <Notice tone="danger">
          <p className="font-medium">{failure.title}</p>
          {failure.reason && <p>{failure.reason}</p>}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={profile.isPending} disabled={isBusy}>
          Save
        </Button>
        <Button busy={host.isPending && !profile.isPending} disabled={isBusy} onClick={saveHost}>
          Update Host in SIP
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

const required: readonly ProfileField[] = ['username', 'company']

const inputProps: Partial<Record<ProfileField, ComponentProps<typeof Input>>> = {
  username: { autoComplete: 'username', autoCapitalize: 'none', spellCheck: false },
  company: { autoComplete: 'organization' },
}

type Binding = { name: string; value: string; onChange: (event: { target: { value: string } }) => void }

const controlOf = (name: ProfileField, binding: Binding) =>
  name === 'home_country' ? (
    <HomeCountrySelect {...binding} />
  ) : (
    <Input
      {...binding}
      required={required.includes(name)}
      maxLength={userFields[name].max}
      {...inputProps[name]}
    />
  )

function keep(change: (user: User) => User): void {
  queryClient.setQueryData(profileQuery.queryKey, (now) => now && change(now))
  refresh().catch(() => {})
}
