import type { User } from '@trunkline/contract/accounts'
import { BEGIN_PAYMENT_TIMEOUT_MS } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'
import type { PromoOffer } from '@trunkline/contract/promo-codes'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useUser } from '../../app/session.ts'
import { ScreenTitle } from '../../common/ScreenTitle.tsx'
import { Card } from '../../ui/Card.tsx'
import { useBeginPayment } from '../payments/begin-payment.ts'
import { PaymentHistory } from '../payments/PaymentHistory.tsx'
import { ReturnPanel } from '../payments/ReturnPanel.tsx'
import { useReturnFlag } from '../payments/return-flag.ts'
import { AmountPicker } from './AmountPicker.tsx'
import { type Choice, chosenAmount, nothingChosen } from './amount.ts'
import { PromoBox } from './PromoBox.tsx'
import { Summary } from './Summary.tsx'

export function TopUp() {
  const user = useUser()
  const { flag, dismiss } = useReturnFlag('/dashboard/topup')
  if (!user) return null
  return (
    <>
      <ScreenTitle
        title="Top Up Your Balance"
        text="Pay in crypto, priced in US dollars. Each call is deducted from your balance."
      />
      {flag && (
        <ReturnPanel key={flag.invoice ?? 'newest'} invoice={flag.invoice} kind="topup" onDismiss={dismiss} />
      )}
      <TopUpForm user={user} />
      <PaymentHistory />
    </>
  )
}

const FORM = 'topup-form'

function TopUpForm({ user }: { user: User }) {
  const [choice, setChoice] = useState<Choice>(nothingChosen)
  const [offer, setOffer] = useState<PromoOffer | null>(null)
  const [isAmountMissing, setAmountMissing] = useState(false)
  const payment = useBeginPayment()
  const amount = chosenAmount(choice)

  function choose(next: Choice) {
    setChoice(next)
    setAmountMissing(false)
    payment.forget()
  }

  function submit() {
    if (payment.isBusy) return
    if (amount === null) return setAmountMissing(true)
    const body = offer ? { amount, promo_code: offer.code } : { amount }
    void payment.begin(() => api('POST /api/topup', { body, timeoutMs: BEGIN_PAYMENT_TIMEOUT_MS }))
  }

  return (
    <div className="mb-4 grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Card className="flex flex-col gap-6 sm:p-6">
        <form
          id={FORM}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <AmountPicker choice={choice} onChoose={choose} onEnter={submit} />
        </form>
        <div className="border-t pt-5">
          <PromoBox
            amount={amount}
            offer={offer}
            onOffer={(next) => {
              setOffer(next)
              payment.forget()
            }}
          />
        </div>
      </Card>
      <Summary
        form={FORM}
        balance={user.bal}
        amount={amount}
        offer={offer}
        isBusy={payment.isBusy}
        failure={isAmountMissing ? messages.selectAmount : payment.failure}
        page={payment.page}
      />
    </div>
  )
}
