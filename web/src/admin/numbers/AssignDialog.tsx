import type { AdminNumber } from '@trunkline/contract/numbers'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { formatExactMoney } from '../../common/format/money.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { newRequestKey } from '../../common/request-key.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { type PickedUser, UserPicker } from '../users/UserPicker.tsx'
import { rereadNumbers } from './queries.ts'
import { priceWords } from './words.ts'

type AssignDialogProps = {
  number: AdminNumber
  onChanged: (number: AdminNumber) => void
  onClose: () => void
}

type Values = { user: PickedUser | null; charge: boolean }

/** Rents a number to a customer. */
export function AssignDialog({ number, onChanged, onClose }: AssignDialogProps) {
  // One key for all attempts: a repeated request is booked once.
  const [requestKey] = useState(newRequestKey)
  const form = useForm<Values>({
    initial: { user: number.user, charge: true },
    validate: ({ user }) => (user ? {} : { user: 'Please choose a customer.' }),
    submit: async ({ user, charge }) => {
      if (!user) return
      const { number: assigned } = await api('POST /api/admin/numbers/:id/assign', {
        params: { id: number.id },
        body: { user_id: user.id, charge, request_key: requestKey },
      })
      toast.success(`${formatPhoneNumber(number.number)} now belongs to ${user.username}.`)
      onChanged(assigned)
      onClose()
    },
    failed: 'The number could not be assigned. You can safely try again: it is booked only once.',
    onSettled: rereadNumbers,
  })
  const title = `Assign ${formatPhoneNumber(number.number)}`
  return (
    <FormDialog
      form={form}
      title={title}
      description={`The customer pays ${priceWords(number.monthly, number.price)} from the balance. Each month is booked when it begins.`}
      label={title}
      action="Assign number"
      onClose={onClose}
    >
      <UserPicker
        label="Customer"
        picked={form.values.user}
        error={form.errors.user}
        onPick={(user) => form.edit({ user })}
      />
      <Checkbox
        {...form.bindChecked('charge')}
        label="Charge the set-up fee and the first month now"
        hint={
          form.values.charge
            ? `${formatExactMoney(number.setup)} and ${formatExactMoney(number.monthly)} are taken from the balance.`
            : 'The first month is free. Later months are charged.'
        }
      />
    </FormDialog>
  )
}
