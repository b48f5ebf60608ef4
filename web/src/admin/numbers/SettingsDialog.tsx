import { useQuery } from '@tanstack/react-query'
import { ownMessages } from '@trunkline/contract/messages'
import type { NumberSettings } from '@trunkline/contract/numbers'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { toMicros } from '../../common/dollars.ts'
import { type FieldErrors, useForm } from '../../common/forms/use-form.ts'
import { LoadingDialog } from '../../common/LoadingDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Input } from '../../ui/Input.tsx'
import { toast } from '../../ui/toast.ts'
import { settingsQuery } from './queries.ts'

const TITLE = 'Settings for numbers'

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  // Read again on every opening.
  const query = useQuery({ ...settingsQuery, staleTime: 0, gcTime: 0 })
  if (query.data) return <SettingsForm read={query.data} onClose={onClose} />
  return (
    <LoadingDialog query={query} title={TITLE} failed="The settings could not be loaded." onClose={onClose} />
  )
}

type Draft = Record<keyof NumberSettings, string>

const dayFields = ['warn_days', 'grace_days', 'suspended_days'] as const

function validate(draft: Draft): FieldErrors<keyof Draft> {
  const errors: FieldErrors<keyof Draft> = {}
  const price = draft.internal_price.trim() === '' ? Number.NaN : Number(draft.internal_price)
  if (!(price >= 0) || toMicros(price) === null) errors.internal_price = ownMessages.priceInvalid
  for (const name of dayFields)
    if (!/^\d{1,2}$/.test(draft[name].trim()) || Number(draft[name]) > 90)
      errors[name] = 'Please enter a number of days from 0 to 90.'
  return errors
}

function SettingsForm({ read, onClose }: { read: NumberSettings; onClose: () => void }) {
  const form = useForm<Draft>({
    initial: {
      internal_price: String(read.internal_price),
      warn_days: String(read.warn_days),
      grace_days: String(read.grace_days),
      suspended_days: String(read.suspended_days),
    },
    validate,
    submit: async (draft) => {
      const { settings } = await api('PUT /api/admin/number-settings', {
        body: {
          internal_price: Number(draft.internal_price),
          warn_days: Number(draft.warn_days),
          grace_days: Number(draft.grace_days),
          suspended_days: Number(draft.suspended_days),
        },
      })
      queryClient.setQueryData(settingsQuery.queryKey, settings)
      toast.success('The settings were saved.')
      onClose()
    },
    failed: 'The settings could not be saved. Please try again.',
  })
  const { bind, errors } = form
  const days = (name: (typeof dayFields)[number], label: string, hint: string) => (
    <Field label={label} error={errors[name]} hint={hint}>
      <Input {...bind(name)} inputMode="numeric" autoComplete="off" className="figures" />
    </Field>
  )
  return (
    <FormDialog form={form} title={TITLE} label={TITLE} action="Save settings" onClose={onClose}>
      <Field
        label="Price of a call between customers ($ per minute)"
        error={errors.internal_price}
        hint="Such calls stay inside and use no carrier. 0 means free."
      >
        <Input {...bind('internal_price')} inputMode="decimal" autoComplete="off" className="figures" />
      </Field>
      {days(
        'warn_days',
        'Warning before a renewal, days',
        'We mail the customer if the balance does not cover the next month.',
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {days('grace_days', 'Grace period, days', 'An unpaid number still rings for this time.')}
        {days('suspended_days', 'Suspended, days', 'Then it does not ring. After this time it is released.')}
      </div>
    </FormDialog>
  )
}
