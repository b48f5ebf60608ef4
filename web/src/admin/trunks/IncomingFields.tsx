import { INCOMING_PASSWORD_MIN, INCOMING_SOURCES_MAX } from '@trunkline/contract/limits'
import type { Trunk } from '@trunkline/contract/trunks'
import type { FormState } from '../../common/forms/use-form.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { CountryCodeSelect } from '../CountryCodeSelect.tsx'
import type { TrunkDraft } from './draft.ts'
import { FieldGroup } from './FieldGroup.tsx'

type IncomingFieldsProps = {
  form: Pick<FormState<TrunkDraft>, 'bind' | 'bindChecked' | 'errors' | 'values'>
  trunk: Trunk | null
}

/** Which calls of the carrier are accepted, and how it writes the called number. */
export const IncomingFields = ({
  form: { bind, bindChecked, errors, values },
  trunk,
}: IncomingFieldsProps) => (
  <FieldGroup name="Incoming calls">
    <Field
      label="Addresses of the carrier"
      optional
      error={errors.incoming_sources}
      hint={`One per line, with or without a port, up to ${INCOMING_SOURCES_MAX}. Calls from other addresses need the password below.`}
      className="sm:col-span-2"
    >
      <Textarea
        {...bind('incoming_sources')}
        rows={2}
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
        placeholder={'192.0.2.10\n192.0.2.11:5060'}
      />
    </Field>
    <Field
      label="National numbers"
      error={errors.incoming_country}
      hint="How to read a called number without a country code, such as 020 7946 0123."
    >
      <CountryCodeSelect {...bind('incoming_country')} none="Not understood" />
    </Field>
    <Field
      label="Prefix to remove"
      optional
      error={errors.incoming_prefix}
      hint="Removed from the front of the called number."
    >
      <Input {...bind('incoming_prefix')} autoComplete="off" className="font-mono" />
    </Field>
    <p className="text-muted text-sm sm:col-span-2">
      Called numbers are understood as +44 20…, 0044 20… and 44 20…, and in national format if you choose a
      country.
    </p>
    <Field
      label="Password for incoming calls"
      optional
      error={errors.incoming_password}
      hint={passwordHint(trunk)}
      className="sm:col-span-2"
    >
      <PasswordInput
        {...bind('incoming_password')}
        autoComplete="new-password"
        disabled={values.forgetIncomingPassword}
      />
    </Field>
    {trunk?.has_incoming_password && (
      <Checkbox
        {...bindChecked('forgetIncomingPassword')}
        className="sm:col-span-2"
        label="Remove the password for incoming calls"
      />
    )}
  </FieldGroup>
)

function passwordHint(trunk: Trunk | null): string {
  const rule = `At least ${INCOMING_PASSWORD_MIN} characters.`
  if (!trunk) return `For a carrier that signs in. ${rule} The username appears here after you add the trunk.`
  const name = `The carrier signs in as ${trunk.incoming_username}.`
  return trunk.has_incoming_password
    ? `${name} A password is set. Leave blank to keep it.`
    : `${name} ${rule}`
}
