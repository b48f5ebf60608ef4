import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages'
import type { Trunk } from '@trunkline/contract/trunks'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import { TransportOptions } from '../../common/TransportOptions.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { CountryCodeSelect } from '../CountryCodeSelect.tsx'
import { savedEntry } from '../saved-entry.ts'
import { TermFields } from '../TermFields.tsx'
import { BLANK, changedIn, draftOf, faultsIn, fieldLabels, newTrunk, type TrunkDraft } from './draft.ts'
import { FieldGroup } from './FieldGroup.tsx'
import { IncomingFields } from './IncomingFields.tsx'
import { plansQuery, refreshCatalogue, trunksQuery } from './queries.ts'

/** Adds a trunk, or changes one. */
export function TrunkForm({ trunk, onClose }: { trunk: Trunk | null; onClose: () => void }) {
  const plans = useQuery(plansQuery)
  const form = useEditForm({
    opened: trunk,
    toValues: (read) => (read ? draftOf(read) : BLANK),
    labels: fieldLabels,
    validate: faultsIn,
    submit: async (draft, base) => {
      toast.success(await saveTrunk(draft, base))
      void refreshCatalogue()
      onClose()
    },
    reload: async (base) =>
      savedEntry(await queryClient.fetchQuery({ ...trunksQuery, staleTime: 0 }), base?.id, 'trunk'),
    failed: messages.unexpected,
  })
  const { bind, bindChecked, edit, errors, values } = form

  return (
    <FormDialog
      form={form}
      title={trunk ? `Edit ${trunk.name}` : 'Add trunk'}
      action={trunk ? 'Save' : 'Add trunk'}
      maxWidth={720}
      className="flex flex-col gap-6"
      onClose={onClose}
    >
      <ConflictNotice form={form} />
      <FieldGroup name="Carrier">
        <Field label="Name" error={errors.name}>
          <Input {...bind('name')} autoComplete="off" />
        </Field>
        <Field label="Provider" optional error={errors.provider}>
          <Input {...bind('provider')} autoComplete="off" />
        </Field>
        <Field label="Country" error={errors.country}>
          <CountryCodeSelect {...bind('country')} none="Every country" />
        </Field>
        <Field label="Type" error={errors.type}>
          <Select {...bind('type')}>
            <option value="sip">SIP</option>
            <option value="pstn">PSTN</option>
          </Select>
        </Field>
      </FieldGroup>
      <FieldGroup name="Gateway">
        <Field label="Host" error={errors.host}>
          <Input
            {...bind('host')}
            autoComplete="off"
            className="font-mono"
            placeholder="sip.carrier.example"
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="Port" error={errors.port}>
            <Input {...bind('port')} autoComplete="off" inputMode="numeric" className="figures" />
          </Field>
          <Field label="Transport" error={errors.transport}>
            <Select {...bind('transport')}>
              <TransportOptions />
            </Select>
          </Field>
        </div>
        <Field label="Username" optional error={errors.auth_username}>
          <Input {...bind('auth_username')} autoComplete="off" className="font-mono" />
        </Field>
        <Field
          label="Password"
          optional
          error={errors.auth_password}
          hint={trunk?.has_password ? 'A password is set. Leave blank to keep it.' : undefined}
        >
          <PasswordInput
            {...bind('auth_password')}
            autoComplete="new-password"
            disabled={values.forgetPassword}
          />
        </Field>
        {trunk?.has_password && (
          <Checkbox
            {...bindChecked('forgetPassword')}
            className="sm:col-span-2"
            label="Remove the password"
          />
        )}
        <div className="sm:col-span-2">
          <Checkbox
            {...bindChecked('registers')}
            label="Register at the carrier"
            hint="For carriers that send calls only to a registered account. Uses the credentials above."
          />
          {errors.registers && <p className="mt-1.5 text-danger text-sm">{errors.registers}</p>}
        </div>
        <Field
          label="Digits to strip"
          error={errors.strip_digits}
          hint="Removed from the start of the number."
        >
          <Input {...bind('strip_digits')} autoComplete="off" inputMode="numeric" className="figures" />
        </Field>
        <Field label="Prefix to add" optional error={errors.add_prefix} hint="Added after stripping digits.">
          <Input {...bind('add_prefix')} autoComplete="off" className="font-mono" />
        </Field>
      </FieldGroup>
      <FieldGroup name="Calls">
        <Field label="Capacity" error={errors.capacity} hint="Maximum concurrent calls.">
          <Input {...bind('capacity')} autoComplete="off" inputMode="numeric" className="figures" />
        </Field>
        <Field
          label="Buy rate"
          error={errors.buy_rate}
          hint="Dollars per minute for numbers without a prefix rate."
        >
          <Input
            {...bind('buy_rate')}
            autoComplete="off"
            inputMode="decimal"
            className="figures"
            placeholder="0.0125"
          />
        </Field>
        <div className="sm:col-span-2">
          <TermFields
            fee={{ ...bind('buy_connect_fee'), error: errors.buy_connect_fee }}
            first={{ ...bind('buy_first_increment'), error: errors.buy_first_increment }}
            next={{ ...bind('buy_next_increment'), error: errors.buy_next_increment }}
          />
        </div>
        <Field label="Priority" error={errors.priority} hint="Lower numbers are tried first.">
          <Input {...bind('priority')} autoComplete="off" inputMode="numeric" className="figures" />
        </Field>
        <Field label="Status" error={errors.status}>
          <Select {...bind('status')}>
            <option value="active">Active</option>
            <option value="inactive">Inactive</option>
          </Select>
        </Field>
      </FieldGroup>
      <IncomingFields form={form} trunk={trunk} />
      <fieldset>
        <legend className="mb-2 font-medium text-sm">Plans</legend>
        {plans.data ? (
          <div className="grid gap-2 sm:grid-cols-2">
            {plans.data.map(({ name }) => (
              <Checkbox
                key={name}
                name="plans"
                label={name}
                checked={values.plans.includes(name)}
                onChange={({ target: { checked } }) =>
                  edit({
                    plans: checked ? [...values.plans, name] : values.plans.filter((each) => each !== name),
                  })
                }
              />
            ))}
            {plans.data.length === 0 && <p className="text-muted text-sm">There are no plans yet.</p>}
          </div>
        ) : (
          <p className="text-muted text-sm">{plans.isError ? messages.plansFailed : 'Loading plans…'}</p>
        )}
        {errors.plans && <p className="mt-1.5 text-danger text-sm">{errors.plans}</p>}
      </fieldset>
    </FormDialog>
  )
}

async function saveTrunk(draft: TrunkDraft, base: Trunk | null): Promise<string> {
  if (!base) {
    await api('POST /api/trunks', { body: newTrunk(draft) })
    return `${draft.name.trim()} was added.`
  }
  const body = changedIn(draftOf(base), draft)
  if (Object.keys(body).length === 0) return messages.noChanges
  await api('PATCH /api/trunks/:id', { params: { id: base.id }, body: { ...body, version: base.version } })
  return `${draft.name.trim()} was saved.`
}
