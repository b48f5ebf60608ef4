import type { AdminNumber } from '@trunkline/contract/numbers'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { Confirm } from '../../common/Confirm.tsx'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { rereadNumbers } from './queries.ts'

/** Questions before a number changes hands. */

type ConfirmationProps = {
  number: AdminNumber
  onChanged: (number: AdminNumber) => void
  onClose: () => void
}

const REASON_MAX = 200

export function ReleaseNumber({ number, onChanged, onClose }: ConfirmationProps) {
  const [reason, setReason] = useState('')
  const shown = formatPhoneNumber(number.number)
  return (
    <Confirm
      title={`Release ${shown}?`}
      text={`The number stops ringing for ${number.user?.username ?? 'its customer'} at once and becomes available. Nothing is refunded.`}
      action="Release number"
      failed="The number could not be released."
      onConfirm={async () => {
        const { number: released } = await api('POST /api/admin/numbers/:id/release', {
          params: { id: number.id },
          body: { reason },
        })
        onChanged(released)
        return { message: `${shown} was released.` }
      }}
      reread={rereadNumbers}
      onClose={onClose}
    >
      <Field label="Reason" optional hint="For the audit log.">
        <Input
          value={reason}
          maxLength={REASON_MAX}
          autoComplete="off"
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
    </Confirm>
  )
}

type ChangeStatusProps = ConfirmationProps & { to: 'available' | 'blocked' }

export function ChangeStatus({ number, to, onChanged, onClose }: ChangeStatusProps) {
  const shown = formatPhoneNumber(number.number)
  const isBlocking = to === 'blocked'
  return (
    <Confirm
      title={isBlocking ? `Block ${shown}?` : `Make ${shown} available?`}
      text={
        isBlocking
          ? 'Customers no longer find it. You can make it available again.'
          : 'Every customer can then find and rent it.'
      }
      action={isBlocking ? 'Block number' : 'Make available'}
      isDanger={isBlocking}
      failed="The number could not be changed."
      onConfirm={async () => {
        const { number: saved } = await api('PATCH /api/admin/numbers/:id', {
          params: { id: number.id },
          body: { status: to, user_id: null, version: number.version },
        })
        onChanged(saved)
        return { message: isBlocking ? `${shown} is blocked.` : `${shown} is available.` }
      }}
      reread={rereadNumbers}
      onClose={onClose}
    />
  )
}

type DeleteNumberProps = Pick<ConfirmationProps, 'number' | 'onClose'> & { onDeleted: () => void }

export const DeleteNumber = ({ number, onDeleted, onClose }: DeleteNumberProps) => (
  <Confirm
    title={`Delete ${formatPhoneNumber(number.number)}?`}
    text="It is removed from the inventory. Calls to it are refused. Call records stay."
    action="Delete number"
    failed="The number could not be deleted."
    onConfirm={async () => {
      const answer = await api('DELETE /api/admin/numbers/:id', { params: { id: number.id } })
      onDeleted()
      return answer
    }}
    reread={rereadNumbers}
    onClose={onClose}
  />
)
