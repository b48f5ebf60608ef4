import type { StatementLine } from '@trunkline/contract/statements'

const OF_PAYMENTS: readonly StatementLine['kind'][] = [
  'top_up',
  'upgrade_purchase',
  'refund_to_balance',
  'refund_paid_out',
]

/** Whether the reference of a line is the order of a payment. */
export const isOfPayment = ({ kind }: StatementLine): boolean => OF_PAYMENTS.includes(kind)
