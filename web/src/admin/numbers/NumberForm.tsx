import { useQuery } from '@tanstack/react-query'
import { NUMBER_LABEL_MAX, NUMBER_NOTE_MAX } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { AdminNumber } from '@trunkline/contract/numbers'
import { numberTypes } from '@trunkline/domain/ringing'
import { api } from '../../app/api.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { ConflictNotice } from '../../common/forms/ConflictNotice.tsx'
import { useEditForm } from '../../common/forms/use-edit-form.ts'
import type { FormState } from '../../common/forms/use-form.ts'
import { numberTypeWords } from '../../common/number-types.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { toast } from '../../ui/toast.ts'
import { CountryCodeSelect } from '../CountryCodeSelect.tsx'
import { trunksQuery } from '../trunks/queries.ts'
import {
  BLANK,
  changedIn,
  draftOf,
  fieldLabels,
  type NumberDraft,
  newNumber,
  validateNumber,
} from './number-form.ts'
import { readNumber, rereadNumbers } from './queries.ts'

type NumberFormProps = {
  /** Null to add a number. */
  number: AdminNumber | null
  onChanged?: (number: AdminNumber) => void
  onClose: () => void
}

/** Adds a number to the inventory, or changes one. */
export function NumberForm({ number, onChanged, onClose }: NumberFormProps) {
  const form = useEditForm({
    opened: number,
    toValues: (read) => (read ? draftOf(read) : BLANK),
    labels: fieldLabels,
    validate: validateNumber,
    submit: async (draft, base) => {
      const saved = base ? await save(base, draft) : await add(draft)
      if (saved) onChanged?.(saved)
      onClose()
    },
    reload: async (base) => (base ? readNumber(base) : base),
    fieldOf: { number_exists: 'number' },
    failed: messages.unexpected,
    onSettled: rereadNumbers,
  })
  const title = number ? `Edit ${formatPhoneNumber(number.number)}` : 'Add number'
  return (
    <FormDialog
      form={form}
      title={title}
      description={
        number?.rental
          ? 'New prices apply to the next customer. The running rental keeps its prices.'
          : undefined
      }
      label={title}
      action={number ? 'Save' : 'Add number'}
      maxWidth={680}
      className="grid gap-4 sm:grid-cols-2"
      onClose={onClose}
    >
      {form.conflict && (
        <div className="sm:col-span-2">
          <ConflictNotice form={form} />
        </div>
      )}
      <NumberFields form={form} isNew={number === null} />
    </FormDialog>
  )
}

type NumberFieldsProps = { form: Pick<FormState<NumberDraft>, 'bind' | 'errors'>; isNew: boolean }

function NumberFields({ form: { bind, errors }, isNew }: NumberFieldsProps) {
  const trunks = useQuery(trunksQuery).data
  const dollars = (name: 'monthly' | 'setup' | 'price' | 'cost_monthly' | 'cost', hint?: string) => (
    <Field label={`${fieldLabels[name]} ($)`} error={errors[name]} hint={hint}>
      <Input {...bind(name)} required inputMode="decimal" autoComplete="off" className="figures" />
    </Field>
  )
  return (
    <>
      {isNew && (
        <>
          <Field label="Number" error={errors.number} hint="For example +44 20 7946 0123.">
            <Input {...bind('number')} required inputMode="tel" autoComplete="off" className="figures" />
          </Field>
          <Field label="Country of a national number" optional error={errors.country}>
            <CountryCodeSelect {...bind('country')} none="International format" />
          </Field>
        </>
      )}
      <Field label={fieldLabels.area} optional error={errors.area}>
        <Input {...bind('area')} maxLength={NUMBER_LABEL_MAX} autoComplete="off" placeholder="London" />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label={fieldLabels.type} error={errors.type}>
          <Select {...bind('type')}>
            <Options of={numberTypes.map((type) => [type, numberTypeWords[type]])} />
          </Select>
        </Field>
        <Field label={fieldLabels.max_calls} error={errors.max_calls}>
          <Input {...bind('max_calls')} inputMode="numeric" autoComplete="off" className="figures" />
        </Field>
      </div>
      <div className="grid grid-cols-2 gap-4">
        {dollars('monthly')}
        {dollars('setup')}
      </div>
      {dollars('price', 'For each incoming minute.')}
      <Field
        label={fieldLabels.trunk_id}
        error={errors.trunk_id}
        hint="Only this carrier may deliver calls to the number."
      >
        <Select {...bind('trunk_id')}>
          <option value="">Any carrier</option>
          <Options of={trunks?.map(({ id, name }) => [id, name])} />
        </Select>
      </Field>
      <div className="grid grid-cols-2 items-start gap-4">
        {dollars('cost_monthly')}
        {dollars('cost')}
      </div>
      <Field label={fieldLabels.tags} optional error={errors.tags} hint="Separated by commas.">
        <Input {...bind('tags')} autoComplete="off" />
      </Field>
      <Field label={fieldLabels.note} optional error={errors.note} hint="Customers do not see it.">
        <Textarea {...bind('note')} rows={1} maxLength={NUMBER_NOTE_MAX} />
      </Field>
    </>
  )
}

async function add(draft: NumberDraft): Promise<AdminNumber> {
  const { number } = await api('POST /api/admin/numbers', { body: newNumber(draft) })
  toast.success(`${formatPhoneNumber(number.number)} was added.`)
  return number
}

async function save(base: AdminNumber, draft: NumberDraft): Promise<AdminNumber | null> {
  const change = changedIn(draftOf(base), draft)
  if (!change) {
    toast.info(messages.noChanges)
    return null
  }
  const { number } = await api('PATCH /api/admin/numbers/:id', {
    params: { id: base.id },
    body: { ...change, version: base.version },
  })
  toast.success(`${formatPhoneNumber(number.number)} was saved.`)
  return number
}
