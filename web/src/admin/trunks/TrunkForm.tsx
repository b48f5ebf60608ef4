import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Trunk } from '@trunkline/contract/trunks'
import { type ReactNode, useState } from 'react'
import { ApiError, api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useFaultFocus } from '../../ui/focus-fault.ts'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { CountryCodeSelect } from '../CountryCodeSelect.tsx'
import { BLANK, changedIn, differences, draftOf, newTrunk, rebased, type TrunkDraft } from './draft.ts'
import { plansQuery, refreshCatalogue, trunksQuery } from './queries.ts'

type Conflict = { changes: string[] }

/** Adds a trunk, or changes one. What was typed stays until it is saved or given up. */
export function TrunkForm({ trunk, onClose }: { trunk: Trunk | null; onClose: () => void }) {
  const [base, setBase] = useState(trunk)
  const [draft, setDraft] = useState<TrunkDraft>(trunk ? draftOf(trunk) : BLANK)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const plans = useQuery(plansQuery)
  const form = useFaultFocus(error)

  const set = <Name extends keyof TrunkDraft>(name: Name, value: TrunkDraft[Name]) =>
    setDraft((now) => ({ ...now, [name]: value }))
  const errorOf = (name: string) =>
    error?.fields.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message
  const typed = (
    name:
      | 'name'
      | 'provider'
      | 'host'
      | 'port'
      | 'auth_username'
      | 'strip_digits'
      | 'add_prefix'
      | 'capacity'
      | 'buy_rate'
      | 'priority',
  ) => ({
    name,
    value: draft[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  })

  async function save(): Promise<string | null> {
    if (!base) {
      await api('POST /api/trunks', { body: newTrunk(draft) })
      return `${draft.name.trim()} was added.`
    }
    const body = changedIn(draftOf(base), draft)
    if (Object.keys(body).length === 0) return 'Nothing was changed.'
    await api('PATCH /api/trunks/:id', { params: { id: base.id }, body: { ...body, version: base.version } })
    return `${draft.name.trim()} was saved.`
  }

  /** Somebody was faster: what they did is shown, and what was typed stays. */
  async function lookAgain(seen: Trunk): Promise<void> {
    const fresh = (await queryClient.fetchQuery({ ...trunksQuery, staleTime: 0 })).find(
      ({ id }) => id === seen.id,
    )
    if (!fresh) return setError(new ApiError('Somebody has deleted this trunk meanwhile.'))
    setConflict({ changes: differences(draftOf(seen), draftOf(fresh)) })
    setDraft(rebased(draftOf(seen), draftOf(fresh), draft))
    setBase(fresh)
  }

  async function submit() {
    setBusy(true)
    setError(null)
    setConflict(null)
    try {
      const said = await save()
      if (said) toast.success(said)
      void refreshCatalogue()
      onClose()
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'changed_meanwhile' && base) await lookAgain(base)
      else setError(failure instanceof ApiError ? failure : new ApiError(messages.unexpected))
    } finally {
      setBusy(false)
    }
  }

  return (
    <FormDialog
      title={trunk ? `Edit ${trunk.name}` : 'Add trunk'}
      action={trunk ? 'Save' : 'Add trunk'}
      isBusy={isBusy}
      maxWidth={720}
      className="flex flex-col gap-6"
      ref={form}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {conflict && <ConflictNotice {...conflict} />}
      {error && error.fields.length === 0 && (
        <Notice tone="danger">{explain(error, messages.unexpected)}</Notice>
      )}
      <Group name="Carrier">
        <Field label="Name" error={errorOf('name')}>
          <Input {...typed('name')} />
        </Field>
        <Field label="Provider" optional error={errorOf('provider')}>
          <Input {...typed('provider')} />
        </Field>
        <Field label="Country" error={errorOf('country')}>
          <CountryCodeSelect
            none="Every country"
            value={draft.country}
            onChange={(event) => set('country', event.target.value)}
          />
        </Field>
        <Field label="Kind" error={errorOf('type')}>
          <Select
            value={draft.type}
            onChange={(event) => set('type', event.target.value as TrunkDraft['type'])}
          >
            <option value="sip">SIP</option>
            <option value="pstn">PSTN</option>
          </Select>
        </Field>
      </Group>
      <Group name="Gateway">
        <Field label="Host" error={errorOf('host')}>
          <Input {...typed('host')} className="font-mono" placeholder="sip.carrier.example" />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="Port" error={errorOf('port')}>
            <Input {...typed('port')} inputMode="numeric" className="figures" />
          </Field>
          <Field label="Transport" error={errorOf('transport')}>
            <Select
              value={draft.transport}
              onChange={(event) => set('transport', event.target.value as TrunkDraft['transport'])}
            >
              <option value="udp">UDP</option>
              <option value="tcp">TCP</option>
              <option value="tls">TLS</option>
            </Select>
          </Field>
        </div>
        <Field label="Username" optional error={errorOf('auth_username')}>
          <Input {...typed('auth_username')} className="font-mono" />
        </Field>
        <Field
          label="Password"
          optional
          error={errorOf('auth_password')}
          hint={
            trunk?.has_password ? 'One is kept. Leave this empty to keep it; it is never shown.' : undefined
          }
        >
          <PasswordInput
            name="auth_password"
            autoComplete="new-password"
            value={draft.auth_password}
            disabled={draft.forgetPassword}
            onChange={(event) => set('auth_password', event.target.value)}
          />
        </Field>
        {trunk?.has_password && (
          <Checkbox
            className="sm:col-span-2"
            label="Take the password away"
            checked={draft.forgetPassword}
            onChange={(event) => set('forgetPassword', event.target.checked)}
          />
        )}
        <Field
          label="Digits to strip"
          error={errorOf('strip_digits')}
          hint="Taken off the front of the number."
        >
          <Input {...typed('strip_digits')} inputMode="numeric" className="figures" />
        </Field>
        <Field label="Prefix to add" optional error={errorOf('add_prefix')} hint="Put before what is left.">
          <Input {...typed('add_prefix')} className="font-mono" />
        </Field>
      </Group>
      <Group name="Calls">
        <Field label="Capacity" error={errorOf('capacity')} hint="Calls at the same time.">
          <Input {...typed('capacity')} inputMode="numeric" className="figures" />
        </Field>
        <Field
          label="Buy rate"
          error={errorOf('buy_rate')}
          hint="Dollars a minute, where no prefix rate fits."
        >
          <Input {...typed('buy_rate')} inputMode="decimal" className="figures" placeholder="0.0125" />
        </Field>
        <Field label="Priority" error={errorOf('priority')} hint="Lower is tried first.">
          <Input {...typed('priority')} inputMode="numeric" className="figures" />
        </Field>
        <Field label="Status" error={errorOf('status')}>
          <Select
            value={draft.status}
            onChange={(event) => set('status', event.target.value as TrunkDraft['status'])}
          >
            <option value="active">Active</option>
            <option value="inactive">Inactive</option>
          </Select>
        </Field>
      </Group>
      <fieldset>
        <legend className="mb-2 font-medium text-sm">Plans it serves</legend>
        {plans.data ? (
          <div className="grid gap-2 sm:grid-cols-2">
            {plans.data.map(({ name }) => (
              <Checkbox
                key={name}
                label={name}
                checked={draft.plans.includes(name)}
                onChange={(event) =>
                  set(
                    'plans',
                    event.target.checked
                      ? [...draft.plans, name]
                      : draft.plans.filter((each) => each !== name),
                  )
                }
              />
            ))}
            {plans.data.length === 0 && <p className="text-muted text-sm">There are no plans yet.</p>}
          </div>
        ) : (
          <p className="text-muted text-sm">{plans.isError ? messages.plansFailed : 'Loading plans…'}</p>
        )}
        {errorOf('plans') && <p className="mt-1.5 text-danger text-sm">{errorOf('plans')}</p>}
      </fieldset>
    </FormDialog>
  )
}

const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className="grid gap-4 sm:grid-cols-2">
    <legend className="engraved mb-3 text-muted">{name}</legend>
    {children}
  </fieldset>
)

const ConflictNotice = ({ changes }: Conflict) => (
  <Notice tone="danger">
    <p>Somebody else changed this trunk while you were editing. Nothing of yours was saved yet.</p>
    {changes.length > 0 && (
      <ul className="figures mt-1.5 list-disc pl-5">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    )}
    <p className="mt-1.5">Your own changes are still in the form. Look at them once more, then save.</p>
  </Notice>
)
