import { useQuery } from '@tanstack/react-query'
import type { AdminPayment } from '@trunkline/contract/admin-payments'
import { REFERENCE_MAX } from '@trunkline/contract/limits'
import { formatDollars, formatExact, toWireNumber, ZERO } from '@trunkline/domain/money'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { formatMoney } from '../../common/format/money.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { newRequestKey } from '../../common/request-key.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
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
  isRefundable,
  leftToRefund,
  type RefundDraft,
  typedAmount,
  validateRefund,
} from './refund.ts'

export function RefundDialog({ id, onDone }: { id: number; onDone: () => void }) {
  const { data, error, refetch } = useQuery(paymentQuery(id))
  const payment = data?.payment
  if (payment && isRefundable(payment)) return <RefundForm payment={payment} onDone={onDone} />
  return (
    <Dialog open onOpenChange={onDone} title={`Refund payment ${id}`}>
      {payment ? (
        <Notice tone="info">
          {payment.paid > 0
            ? `All ${formatMoney(payment.paid)} of this payment has been refunded.`
            : 'This payment has nothing to refund.'}
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
  // One key for all attempts: a repeated request finds the refund instead of making another.
  const [requestKey] = useState(newRequestKey)
  const initialTo = leftToRefund(payment, 'paid_out') > ZERO ? 'paid_out' : 'balance'
  const funds = useQuery(fundsQuery(payment.user.id))
  const form = useForm<RefundDraft>({
    initial: {
      amount: formatExact(leftToRefund(payment, initialTo)).slice(1),
      to: initialTo,
      reference: '',
      reason: '',
    },
    validate: (draft) => validateRefund(draft, payment, funds.data?.available),
    submit: async (draft) => {
      const { refund } = await api('POST /api/admin/payments/:id/refunds', {
        params: { id: payment.id },
        body: {
          amount: toWireNumber(typedAmount(draft) ?? ZERO),
          to: draft.to,
          ...(draft.to === 'paid_out' && { reference: draft.reference }),
          reason: draft.reason,
          request_key: requestKey,
        },
      })
      toast.success(`${formatMoney(refund.amount)} of payment ${payment.id} was refunded.`)
      const isStillOpen = form.ref.current !== null
      if (isStillOpen) onDone()
    },
    failed: 'The refund could not be made. You can safely try again: it is made only once.',
    onSettled: rereadMoney,
  })
  const { bind, errors, values } = form
  const amount = typedAmount(values)
  const left = leftToRefund(payment, values.to)

  return (
    <FormDialog
      form={form}
      title={`Refund payment ${payment.id}`}
      description={`${payment.user.username} paid ${formatMoney(payment.paid)}; ${formatDollars(left)} can be refunded.`}
      label="Refund"
      action={<>Refund {amount !== null && <span className="figures">{formatDollars(amount)}</span>}</>}
      onClose={onDone}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField {...bind('amount')} error={errors.amount} />
        <Field label="Refund to">
          <Select {...bind('to')}>
            <option value="paid_out">Refunded externally</option>
            <option value="balance">Balance</option>
          </Select>
        </Field>
      </div>
      {values.to === 'paid_out' && (
        <Field label="Transfer reference" error={errors.reference} hint="For example, the transaction ID.">
          <Input {...bind('reference')} required autoComplete="off" maxLength={REFERENCE_MAX} />
        </Field>
      )}
      {amount !== null && amount <= left && (
        <div className="rounded-md border bg-sunken px-3 py-2.5 text-sm" aria-live="polite">
          <p className="mb-1 font-medium">What happens</p>
          <ul className="list-disc pl-4">
            {consequences(values, payment, amount).map((sentence) => (
              <li key={sentence} className="figures">
                {sentence}
              </li>
            ))}
          </ul>
          {values.to === 'paid_out' && funds.data && (
            <p className="figures mt-1 text-muted">
              {payment.user.username} has {formatMoney(funds.data.available)} available now.
            </p>
          )}
        </div>
      )}
      <ReasonField {...bind('reason')} error={errors.reason} hint="Recorded permanently in the audit log." />
    </FormDialog>
  )
}
