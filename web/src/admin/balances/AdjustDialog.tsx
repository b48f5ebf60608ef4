import type { AnswerOf } from '@trunkline/contract'
import { formatDollars, toWireNumber } from '@trunkline/domain/money'
import { useRef, useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { inDollars, restInDollars, takenInDollars } from '../../common/dollars.ts'
import { newRequestKey } from '../../common/request-key.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { focusFault } from '../../ui/focus-fault.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { AmountField, ReasonField } from '../MoneyFields.tsx'
import {
  type AdjustmentDraft,
  type AdjustmentFaults,
  balanceAfter,
  faultsIn,
  signedAmount,
} from './adjustment.ts'

type Adjusted = AnswerOf<'POST /api/admin/balance-adjustments'>

type AdjustDialogProps = {
  user: { id: number; username: string; balance: number; held: number }
  /** With the new balance once it is adjusted, without when the dialog was left. */
  onDone: (adjusted?: Adjusted) => void
}

/** Gives to or takes from a balance, with a reason that stands in the audit log for good. Shown while it is mounted. */
export function AdjustDialog({ user, onDone }: AdjustDialogProps) {
  const [requestKey] = useState(newRequestKey)
  const [draft, setDraft] = useState<AdjustmentDraft>({ direction: 'credit', amount: '', reason: '' })
  const [faults, setFaults] = useState<AdjustmentFaults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const fields = useRef<HTMLFormElement>(null)

  function edit(change: Partial<AdjustmentDraft>) {
    setDraft({ ...draft, ...change })
    setFaults({})
    setRefusal(null)
  }

  async function submit() {
    const found = faultsIn(draft, user)
    setFaults(found)
    if (focusFault(fields.current, found)) return
    const signed = signedAmount(draft)
    if (signed === null || isBusy) return
    setBusy(true)
    try {
      const adjusted = await api('POST /api/admin/balance-adjustments', {
        body: {
          user_id: user.id,
          amount: toWireNumber(signed),
          reason: draft.reason,
          request_key: requestKey,
        },
      })
      toast.success(`The balance of ${user.username} is now ${inDollars(adjusted.balance)}.`)
      onDone(adjusted)
    } catch (error) {
      setRefusal(
        explain(error, 'The balance could not be adjusted. Sending it again is safe: it is done once.'),
      )
      setBusy(false)
    }
  }

  return (
    <FormDialog
      title={`Adjust the balance of ${user.username}`}
      description="Booked at once, with your name and reason in the audit log. A mistake is corrected by another adjustment."
      label="Balance adjustment"
      action={draft.direction === 'credit' ? 'Give credit' : 'Take from balance'}
      isBusy={isBusy}
      ref={fields}
      onSubmit={() => void submit()}
      onClose={() => onDone()}
    >
      <Funds user={user} />
      <Amount draft={draft} fault={faults.amount} onEdit={edit} />
      <After draft={draft} user={user} />
      <ReasonField value={draft.reason} error={faults.reason} onChange={(reason) => edit({ reason })} />
      {refusal && <Notice tone="danger">{refusal}</Notice>}
    </FormDialog>
  )
}

const Funds = ({ user: { balance, held } }: Pick<AdjustDialogProps, 'user'>) => (
  <dl className="figures flex flex-wrap gap-x-8 gap-y-2">
    <Figure name="Balance" value={inDollars(balance)} />
    {held > 0 && <Figure name="Held for live calls" value={takenInDollars(balance, held)} />}
    {held > 0 && <Figure name="Available" value={restInDollars(balance, held)} />}
  </dl>
)

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-muted text-sm">{name}</dt>
    <dd className="font-semibold text-lg">{value}</dd>
  </div>
)

type AmountProps = {
  draft: AdjustmentDraft
  fault: string | undefined
  onEdit: (change: Partial<AdjustmentDraft>) => void
}

const Amount = ({ draft, fault, onEdit }: AmountProps) => (
  <div className="grid grid-cols-[9rem_minmax(0,1fr)] gap-3">
    <Field label="Direction">
      <Select
        name="direction"
        value={draft.direction}
        onChange={(event) => onEdit({ direction: event.target.value as AdjustmentDraft['direction'] })}
      >
        <option value="credit">Credit (+)</option>
        <option value="debit">Debit (−)</option>
      </Select>
    </Field>
    <AmountField value={draft.amount} error={fault} onChange={(amount) => onEdit({ amount })} />
  </div>
)

function After({ draft, user }: { draft: AdjustmentDraft; user: AdjustDialogProps['user'] }) {
  const after = balanceAfter(draft, user)
  return (
    <p className="figures text-sm" aria-live="polite">
      <span className="text-muted">Balance afterwards: </span>
      <strong className="font-semibold">{after === null ? '–' : formatDollars(after)}</strong>
    </p>
  )
}
