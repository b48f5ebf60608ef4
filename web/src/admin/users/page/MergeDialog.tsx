import { useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import type { MergeObstacle, MergePreview } from '@trunkline/contract/merges'
import { ownMessages } from '@trunkline/contract/messages'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { Facts } from '../../../common/Facts.tsx'
import { formatMoney, formatSum } from '../../../common/format/money.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { Loaded } from '../../../common/Loaded.tsx'
import { newRequestKey } from '../../../common/request-key.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { rereadMoney } from '../../reread-money.ts'
import { rereadUsers } from '../queries.ts'
import { type PickedUser, UserPicker } from '../UserPicker.tsx'

type MergeDialogProps = { user: UserDetails; onClose: () => void }

/** Merges a duplicate into another customer, after a preview and a typed confirmation. */
export function MergeDialog({ user, onClose }: MergeDialogProps) {
  const merged = user.merged_into
  const [into, setInto] = useState<PickedUser | null>(merged)
  const [key] = useState(newRequestKey)
  const preview = useQuery({
    queryKey: ['admin', 'users', 'merge', user.id, into?.id],
    queryFn: ({ signal }) =>
      api('GET /api/admin/users/:id/merge', {
        params: { id: user.id },
        query: { into: into?.id ?? 0 },
        signal,
      }),
    enabled: into !== null,
  })
  const form = useForm({
    initial: { confirm: '' },
    validate: ({ confirm }) =>
      confirm.trim() === user.username ? {} : { confirm: ownMessages.mergeConfirm },
    check: () => (preview.data ? null : 'Please choose the customer to merge into.'),
    submit: async ({ confirm }) => {
      if (!preview.data) return
      const { from, into } = preview.data
      const { message } = await api('POST /api/admin/users/:id/merge', {
        params: { id: from.id },
        body: { into: into.id, confirm, balance: from.balance, request_key: key },
      })
      toast.success(message)
      onClose()
    },
    failed: 'The accounts could not be merged. Please try again.',
    onSettled: () => {
      void rereadMoney()
      return rereadUsers()
    },
  })
  return (
    <FormDialog
      form={form}
      title={`Merge ${user.username} into another customer`}
      description="For two accounts of the same customer. This account ends for good."
      action="Merge account"
      isDisabled={!preview.data || preview.data.obstacles.length > 0}
      maxWidth={560}
      onClose={onClose}
    >
      {merged === null && <UserPicker label="Merge into" picked={into} onPick={setInto} />}
      {into !== null && (
        <Loaded query={preview} failed="The preview could not be loaded.">
          {(read) => (
            <>
              <Preview read={read} />
              {read.obstacles.length === 0 && (
                <Field
                  label={`Type ${user.username} to confirm`}
                  error={form.errors.confirm}
                  hint="It cannot be undone."
                >
                  <Input {...form.bind('confirm')} autoComplete="off" spellCheck={false} />
                </Field>
              )}
            </>
          )}
        </Loaded>
      )}
    </FormDialog>
  )
}

const obstacleWords: Readonly<Record<MergeObstacle, string>> = {
  same_account: 'Choose another customer.',
  own_account: 'You cannot merge your own account.',
  administrator: 'Accounts of administrators cannot be merged.',
  merged_elsewhere: 'This account was merged into another customer already.',
  target_disabled: 'The other account is disabled. Enable it first.',
  live_calls: 'The account has live calls. End them first.',
  held_money: 'Money is held for calls. Wait until they end.',
  open_payments: 'The account has open payments or reviews. Wait until they are final, or resolve them.',
}

function Preview({ read }: { read: MergePreview }) {
  const { from, into, obstacles } = read
  if (obstacles.length > 0)
    return (
      <Notice tone="danger">
        <ul className="flex flex-col gap-1">
          {obstacles.map((name) => (
            <li key={name}>{obstacleWords[name]}</li>
          ))}
        </ul>
      </Notice>
    )
  const list = (items: readonly string[]) => (items.length === 0 ? 'None' : items.join(', '))
  return (
    <section aria-label="Preview">
      <Facts
        facts={[
          ['Balance that moves', formatMoney(from.balance)],
          [`New balance of ${into.username}`, formatSum(from.balance, into.balance)],
          ['Notes', String(read.notes)],
          ['Tickets', String(read.tickets)],
          ['Numbers', String(read.numbers)],
          ['Flows', String(read.flows)],
          ['Sounds', String(read.sounds)],
          ['Voicemail messages', String(read.voicemails)],
          ['Tags', list(read.tags)],
          ['Trusted addresses', list(read.addresses)],
        ]}
      />
      <p className="mt-3 text-muted text-sm">
        {from.username} is disabled and signed out, and its SIP password ends. Its call records, payments and
        statement stay there and are linked from {into.username}.
      </p>
    </section>
  )
}
