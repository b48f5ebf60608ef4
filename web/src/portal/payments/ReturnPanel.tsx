import { useQuery } from '@tanstack/react-query'
import { paymentStates } from '@trunkline/contract/payment-states'
import type { Payment } from '@trunkline/contract/payments'
import { ArrowUpRight, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useUser } from '../../app/session.ts'
import { formatMoney } from '../../common/format/money.ts'
import { PaymentBadge } from '../../common/payments/PaymentBadge.tsx'
import { paymentLooks } from '../../common/payments/payment-look.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp, type LampState } from '../../ui/Lamp.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { PaymentPageLink } from './PaymentPageLink.tsx'
import { isArriving, isPassing, rereadHistory, returnedPaymentQuery } from './queries.ts'

type ReturnPanelProps = { invoice: number | null; kind: Payment['kind']; onDismiss: () => void }

/** The state of the payment that the customer returns from. */
export function ReturnPanel({ invoice, kind, onDismiss }: ReturnPanelProps) {
  const { data: payment, error, refetch } = useQuery(returnedPaymentQuery(invoice, kind))
  const state = payment?.state

  useEffect(() => {
    if (state) void rereadHistory()
  }, [state])

  return (
    <section
      aria-label="Your payment"
      className="card relative mb-4 grid min-h-68 grid-cols-1 content-between gap-5 p-5 sm:min-h-49 sm:p-6"
    >
      <Dismiss onClick={onDismiss} />
      {payment ? (
        <Outcome payment={payment} />
      ) : payment === null ? (
        <Words
          headline="No payment found"
          text="Your account has no payments yet. If you have paid, contact support."
        />
      ) : error && !isPassing(error) ? (
        <Words headline="Payment not found" text="It belongs to another account, or the link is wrong." />
      ) : error ? (
        <Words
          headline="Payment status unavailable"
          text="Your payment is safe. This page updates when the server responds."
          action={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      ) : (
        <Loading className="flex flex-col gap-4 pr-10">
          <Skeleton className="h-6 w-64 max-w-full" />
          <Skeleton className="h-4 w-96 max-w-full" />
          <Skeleton className="mt-3 h-9 w-full max-w-xl" />
        </Loading>
      )}
    </section>
  )
}

const isMoving = ({ state }: Payment) => state === 'pending' || state === 'paying'

/** The upgrade payment of a premium user is credited to the balance. */
const buysPremium = ({ kind, credited }: Payment) => kind === 'upgrade' && credited === 0

function Outcome({ payment }: { payment: Payment }) {
  const { lamps, headline } = paymentLooks[payment.state]
  return (
    <>
      <Words
        headline={payment.state === 'completed' ? received(payment) : headline}
        badge={<PaymentBadge state={payment.state} />}
        text={<Explanation payment={payment} />}
        action={
          payment.payment_url && (
            <PaymentPageLink address={payment.payment_url}>
              {payment.state === 'underpaid' ? 'Pay the rest' : 'Return to payment page'}
              <ArrowUpRight aria-hidden />
            </PaymentPageLink>
          )
        }
      />
      <Line
        lamps={lamps}
        isMoving={isMoving(payment)}
        words={['Requested', 'Detected', buysPremium(payment) ? 'Premium' : 'Added to balance']}
      />
    </>
  )
}

const received = (payment: Payment): string =>
  buysPremium(payment)
    ? `${formatMoney(payment.amount)} received`
    : `${formatMoney(payment.credited)} added to your balance`

function Explanation({ payment }: { payment: Payment }) {
  const user = useUser()
  const { state, kind, amount, bonus, credited } = payment
  if (state === 'completed') {
    if (buysPremium(payment)) return 'Your account is now premium.'
    return (
      <>
        {kind === 'upgrade' && 'You were already premium, so the payment was added to your balance. '}
        {bonus > 0 && credited > amount && `This includes a promo bonus of ${formatMoney(bonus)}. `}
        Your balance is now{' '}
        <strong className="figures font-semibold text-ink">{formatMoney(user?.bal ?? 0)}</strong>.
      </>
    )
  }
  return (
    <>
      {/* The headline already describes a payment in progress. */}
      {!isMoving(payment) && `${paymentStates[state].explanation} `}
      {isArriving(payment) && (
        <span className="figures">
          {formatMoney(amount)} will {kind === 'upgrade' ? 'upgrade your account' : 'be in your balance'} when
          the full payment arrives{bonus > 0 && `, plus a bonus of ${formatMoney(bonus)}`}. This page updates
          automatically.
        </span>
      )}
      {(state === 'expired' || state === 'failed') && 'You can start a new payment below.'}
    </>
  )
}

type WordsProps = { headline: ReactNode; text: ReactNode; badge?: ReactNode; action?: ReactNode }

function Words({ headline, text, badge, action }: WordsProps) {
  return (
    <div className="flex justify-between gap-x-6 gap-y-3 pr-9 max-sm:flex-col max-sm:items-start sm:items-end">
      <div role="status" className="min-w-0 sm:max-w-2xl">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="figures font-semibold text-xl tracking-tight">{headline}</span>
          {badge}
        </p>
        <p className="mt-1 min-h-11 text-muted text-sm">{text}</p>
      </div>
      {action}
    </div>
  )
}

/** The progress of the payment in three steps. */
function Line({
  lamps,
  words,
  isMoving,
}: {
  lamps: readonly LampState[]
  words: readonly string[]
  isMoving: boolean
}) {
  return (
    <ol className="grid max-w-3xl grid-cols-[1fr_1fr_auto]">
      {words.map((word, at) => {
        const lit = lamps[at] ?? 'off'
        return (
          <li key={word} className="flex flex-col gap-1.5">
            <span aria-hidden className="flex items-center">
              <Lamp lit={lit} pulse={isMoving && lit === 'pending'} label="" className="size-5" />
              <span
                className={cx(
                  'h-px flex-1',
                  at === words.length - 1
                    ? 'invisible'
                    : lamps[at + 1] === 'signal'
                      ? 'bg-signal-edge'
                      : 'bg-edge/55',
                )}
              />
            </span>
            <span className={cx('text-sm', lit === 'off' ? 'text-muted' : 'text-ink')}>
              {word}
              <span className="sr-only">{meanings[lit]}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const meanings: Record<LampState, string> = {
  signal: ': done',
  pending: ': waiting',
  danger: ': failed',
  off: ': not yet',
}

const Dismiss = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    aria-label="Dismiss"
    title="Dismiss"
    onClick={onClick}
    className="absolute top-3 right-3 grid size-9 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink"
  >
    <X aria-hidden className="size-4" />
  </button>
)
