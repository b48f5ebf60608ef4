import type { AdminNumber } from '@trunkline/contract/numbers'
import { api } from '../../app/api.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { type PickedUser, UserPicker } from '../users/UserPicker.tsx'
import { rereadNumbers } from './queries.ts'

type ReserveDialogProps = {
  number: AdminNumber
  onChanged: (number: AdminNumber) => void
  onClose: () => void
}

/** Keeps a number for one customer, or for nobody yet. */
export function ReserveDialog({ number, onChanged, onClose }: ReserveDialogProps) {
  const form = useForm<{ user: PickedUser | null }>({
    initial: { user: null },
    submit: async ({ user }) => {
      const { number: saved } = await api('PATCH /api/admin/numbers/:id', {
        params: { id: number.id },
        body: { status: 'reserved', user_id: user?.id ?? null, version: number.version },
      })
      toast.success(`${formatPhoneNumber(number.number)} is reserved${user ? ` for ${user.username}` : ''}.`)
      onChanged(saved)
      onClose()
    },
    failed: 'The number could not be reserved.',
    onSettled: rereadNumbers,
  })
  const title = `Reserve ${formatPhoneNumber(number.number)}`
  return (
    <FormDialog
      form={form}
      title={title}
      description="Only this customer can rent it. Without a customer, nobody can until you change it."
      label={title}
      action="Reserve number"
      onClose={onClose}
    >
      <UserPicker
        label="Customer"
        optional
        picked={form.values.user}
        error={form.errors.user}
        onPick={(user) => form.edit({ user })}
      />
    </FormDialog>
  )
}
