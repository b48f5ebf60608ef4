import { Link } from '@tanstack/react-router'
import { BEGIN_PAYMENT_TIMEOUT_MS, UPGRADE_PRICE_DOLLARS } from '@trunkline/contract/limits'
import { Gauge, Headset, type LucideIcon, Route, Sparkles } from 'lucide-react'
import { ApiError, api } from '../../app/api.ts'
import { refresh, useUser } from '../../app/session.ts'
import { formatMoney } from '../../common/format/money.ts'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { TrunkLine } from '../../ui/TrunkLine.tsx'
import { useBeginPayment } from '../payments/begin-payment.ts'
import { PayButton } from '../payments/PayButton.tsx'
import { ReturnPanel } from '../payments/ReturnPanel.tsx'
import { useReturnFlag } from '../payments/return-flag.ts'

const benefits: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: Route,
    title: 'Access to premium routes',
    text: 'Select premium routes in every country.',
  },
  { icon: Headset, title: 'Priority support', text: 'Your tickets go to the front of the queue.' },
  { icon: Gauge, title: 'Better call quality', text: 'Premium routes use higher-quality carriers.' },
  {
    icon: Sparkles,
    title: 'Early access to new features',
    text: 'Try new features first.',
  },
]

export function Upgrade() {
  const user = useUser()
  const { flag, dismiss } = useReturnFlag('/dashboard/upgrade')
  if (!user) return null
  const returned = flag && (
    <ReturnPanel key={flag.invoice ?? 'newest'} invoice={flag.invoice} kind="upgrade" onDismiss={dismiss} />
  )
  if (user.is_premium) {
    return (
      <>
        {returned}
        <Premium />
      </>
    )
  }
  return (
    <>
      <ScreenTitle title="Upgrade to Premium" text="One payment unlocks all premium features." />
      {returned}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="sm:p-6">
          <Benefits />
        </Card>
        <Offer />
      </div>
    </>
  )
}

function Benefits() {
  return (
    <ul className="divide-y">
      {benefits.map(({ icon: Icon, title, text }) => (
        <li key={title} className="flex gap-4 py-4 first:pt-0 last:pb-0">
          <span className="grid size-10 shrink-0 place-items-center rounded-lg border bg-raised text-signal-ink">
            <Icon aria-hidden className="size-5" />
          </span>
          <div className="min-w-0">
            <h3 className="font-medium">{title}</h3>
            <p className="text-muted text-sm">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Offer() {
  const { isBusy, failure, page, begin } = useBeginPayment()

  async function upgrade() {
    const error = await begin(() =>
      api('POST /api/upgrade', { body: {}, timeoutMs: BEGIN_PAYMENT_TIMEOUT_MS }),
    )
    // A user who is already premium sees that instead of the offer.
    if (error instanceof ApiError && error.code === 'already_premium') await refresh().catch(() => {})
  }

  return (
    <Card aria-label="Summary" className="flex flex-col sm:p-6">
      <p className="engraved text-muted">Total cost</p>
      <p className="figures mt-1 font-semibold text-5xl tracking-tight">
        {formatMoney(UPGRADE_PRICE_DOLLARS)}
      </p>
      <p className="mt-2 mb-6 text-muted text-sm">One-time payment in crypto. Your balance is not charged.</p>
      <PayButton isBusy={isBusy} failure={failure} page={page} onClick={() => void upgrade()}>
        Upgrade Now
      </PayButton>
      <p className="mt-3 text-muted text-sm">
        You’ll pay on our provider’s page within 30 minutes. Premium starts when the payment is confirmed.
      </p>
      <p className="mt-3 text-sm">
        <ReceiptsLink />
      </p>
    </Card>
  )
}

const lit = [{ lit: 'signal' }, { lit: 'signal' }, { lit: 'signal' }, { lit: 'signal' }] as const

function Premium() {
  return (
    <Card className="overflow-hidden p-0">
      <div className="flex flex-col items-center px-5 pt-12 pb-10 text-center">
        <TrunkLine lamps={lit} className="mb-8 w-full max-w-lg" />
        <h2 className="font-semibold text-3xl tracking-tight">You are a Premium User!</h2>
        <p className="mt-2 max-w-md text-balance text-muted">
          You can select premium routes in every country.
        </p>
        <Link to="/dashboard" className={`${buttonClass({ variant: 'primary', size: 'lg' })} mt-7`}>
          Go to Dashboard
        </Link>
      </div>
      <div className="border-t bg-ground/40 p-5 sm:p-6">
        <Benefits />
        <p className="mt-5 text-sm">
          <ReceiptsLink />
        </p>
      </div>
    </Card>
  )
}

const ReceiptsLink = () => (
  <Link
    to="/dashboard/topup"
    hash="payments"
    className="text-ink underline decoration-edge underline-offset-3 hover:decoration-current"
  >
    Payments and receipts
  </Link>
)
