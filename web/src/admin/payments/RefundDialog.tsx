import { useQuery } from '@tanstack/react-query'
import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { REFERENCE_MAX } from '@trunkline/contract/limits'
import { formatDollars, formatExact, toWireNumber } from '@trunkline/domain/money'
import { useRef, useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { inDollars } from '../../common/dollars.ts'
import { Failure } from '../../common/Failure.tsx'
import { newRequestKey } from '../../common/request-key.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { focusFault } from '../../ui/focus-fault.ts'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { AmountField, ReasonField } from '../MoneyFields.tsx'
import { rereadMoney } from '../reread-money.ts'
import { fundsQuery, paymentQuery } from './queries.ts'
import {
  consequences,
  faultsIn,
  isRefundable,
  leftToRefund,
  type RefundDraft,
  type RefundFaults,
  typedAmount,
} from './refund.ts'

/** Gives back a payment, whole or in part. Shown while it is mounted; an address may lead straight to it. */
export function RefundDialog({ id, onDone }: { id: number; onDone: () => void }) {
  const { data, error, refetch } = useQuery(paymentQuery(id))
  const payment = data?.payment
  if (payment && isRefundable(payment)) return <RefundForm payment={payment} onDone={onDone} />
  return (
    <Dialog open onOpenChange={onDone} title={`Refund payment ${id}`}>
      {payment ? (
        <Notice tone="info">
          {payment.paid > 0
            ? `All ${inDollars(payment.paid)} of this payment has been given back.`
            : 'Nothing was paid here that could be refunded.'}
        </Notice>
      ) : error ? (
        <Failure onRetry={() => void refetch()}>{explain(error, 'The payment could not be loaded.')}</Failure>
      ) : (
        <div aria-busy className="flex flex-col gap-4">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-20 w-full" />
        </div>
      )}
    </Dialog>
  )
}

function RefundForm({ payment, onDone }: { payment: AdminPayment; onDone: () => void }) {
  // One for all attempts: a refund of which no answer came is not made again, but found.
  const [requestKey] = useState(newRequestKey)
  const left = leftToRefund(payment)
  const [draft, setDraft] = useState<RefundDraft>(() => ({
    amount: formatExact(left).slice(1),
    to: 'paid_out',
    reference: '',
    reason: '',
  }))
  const [faults, setFaults] = useState<RefundFaults>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const funds = useQuery(fundsQuery(payment.user.id))
  const fields = useRef<HTMLFormElement>(null)
  const amount = typedAmount(draft)

  function edit(change: Partial<RefundDraft>) {
    setDraft({ ...draft, ...change })
    setFaults({})
    setRefusal(null)
  }

  async function submit() {
    const found = faultsIn(draft, payment, funds.data?.available)
    setFaults(found)
    if (focusFault(fields.current, found)) return
    if (amount === null || isBusy) return
    setBusy(true)
    try {
      const { refund } = await api('POST /api/admin/payments/:id/refunds', {
        params: { id: payment.id },
        body: {
          amount: toWireNumber(amount),
          to: draft.to,
          ...(draft.to === 'paid_out' && { reference: draft.reference }),
          reason: draft.reason,
          request_key: requestKey,
        },
      })
      toast.success(`${inDollars(refund.amount)} of payment ${payment.id} was refunded.`)
      onDone()
    } catch (error) {
      setRefusal(explain(error, 'The refund could not be made. Sending it again is safe: it is made once.'))
      setBusy(false)
    }
    void rereadMoney()
  }

  return (
    <FormDialog
      title={`Refund payment ${payment.id}`}
      description={`${payment.user.username} paid ${inDollars(payment.paid)}; ${formatDollars(left)} of it can be refunded.`}
      label="Refund"
      action={<>Refund {amount !== null && <span className="figures">{formatDollars(amount)}</span>}</>}
      isBusy={isBusy}
      ref={fields}
      onSubmit={() => void submit()}
      onClose={onDone}
    >
      <Where draft={draft} faults={faults} onEdit={edit} />
      {amount !== null && amount <= left && (
        <div className="rounded-md border bg-sunken px-3 py-2.5 text-sm" aria-live="polite">
          <p className="mb-1 font-medium">What this does</p>
          <ul className="list-disc pl-4">
            {consequences(draft, payment, amount).map((sentence) => (
              <li key={sentence} className="figures">
                {sentence}
              </li>
            ))}
          </ul>
          {draft.to === 'paid_out' && funds.data && (
            <p className="figures mt-1 text-muted">
              {payment.user.username} has {inDollars(funds.data.available)} available now.
            </p>
          )}
        </div>
      )}
      <ReasonField
        value={draft.reason}
        error={faults.reason}
        hint="Stands in the audit log for good."
        onChange={(reason) => edit({ reason })}
      />
      {refusal && <Notice tone="danger">{refusal}</Notice>}
    </FormDialog>
  )
}

type WhereProps = {
  draft: RefundDraft
  faults: RefundFaults
  onEdit: (change: Partial<RefundDraft>) => void
}

const Where = ({ draft, faults, onEdit }: WhereProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <AmountField value={draft.amount} error={faults.amount} onChange={(amount) => onEdit({ amount })} />
      <Field label="Where to">
        <Select
          name="to"
          value={draft.to}
          onChange={({ target }) => onEdit({ to: target.value as RefundDraft['to'] })}
        >
          <option value="paid_out">Paid out, outside</option>
          <option value="balance">To the balance</option>
        </Select>
      </Field>
    </div>
    {draft.to === 'paid_out' && (
      <Field
        label="Reference of the transfer"
        error={faults.reference}
        hint="Such as the transaction id of what you returned."
      >
        <Input
          name="reference"
          required
          autoComplete="off"
          maxLength={REFERENCE_MAX}
          value={draft.reference}
          onChange={({ target }) => onEdit({ reference: target.value })}
        />
      </Field>
    )}
  </>
)
