import { PROMO_CODE_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { PromoOffer } from '@trunkline/contract/promo-codes'
import { TicketPercent, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { refresh, useUser } from '../../app/session.ts'
import { formatMoney } from '../../common/format/money.ts'
import { useForm } from '../../common/forms/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { bonusOn } from './bonus.ts'

type PromoBoxProps = {
  amount: number | null
  offer: PromoOffer | null
  onOffer: (offer: PromoOffer | null) => void
}

/** Account credit is redeemed immediately. Other codes apply to the next top-up. */
export function PromoBox({ amount, offer, onOffer }: PromoBoxProps) {
  const [credited, setCredited] = useState<number | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const remove = useRef<HTMLButtonElement>(null)
  const wasApplied = useRef(false)

  // Applying or removing a code replaces the focused element.
  useEffect(() => {
    if (offer !== null) remove.current?.focus()
    else if (wasApplied.current) input.current?.focus()
    wasApplied.current = offer !== null
  }, [offer])

  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: ownMessages.promoCodeMissing } : {}),
    submit: async ({ code }) => {
      setCredited(null)
      const checked = await api('POST /api/promo-codes/check', { body: { code } })
      if (checked.offer.applies === 'now') {
        const redeemed = await api('POST /api/promo-codes/redeem', { body: { code } })
        await refresh().catch(() => {})
        setCredited(redeemed.credited)
      } else onOffer(checked.offer)
      form.reset({ code: '' })
    },
    failed: 'The promo code could not be checked. Please try again.',
  })

  if (offer) {
    return <Applied offer={offer} amount={amount} removeButton={remove} onRemove={() => onOffer(null)} />
  }
  return (
    <Form form={form} className="">
      <div className="flex max-w-md items-start gap-2">
        <Field
          label="Promo code"
          optional
          error={form.errors.code ?? form.failure}
          className="min-w-0 flex-1"
        >
          <Input
            {...form.bind('code')}
            ref={input}
            maxLength={PROMO_CODE_MAX}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={(event) => {
              form.edit({ code: event.target.value })
              setCredited(null)
            }}
            className="font-mono uppercase"
          />
        </Field>
        <Button type="submit" busy={form.isBusy} className="mt-[1.59375rem]">
          Apply
        </Button>
      </div>
      {credited !== null && <Credited dollars={credited} />}
    </Form>
  )
}

function Credited({ dollars }: { dollars: number }) {
  const balance = useUser()?.bal
  return (
    <Notice tone="success" className="figures mt-3 max-w-md">
      {formatMoney(dollars)} was added to your balance
      {balance !== undefined && (
        <>
          , which is now <strong className="font-semibold">{formatMoney(balance)}</strong>
        </>
      )}
      .
    </Notice>
  )
}

function Applied({
  offer,
  amount,
  removeButton,
  onRemove,
}: {
  offer: PromoOffer
  amount: number | null
  removeButton: RefObject<HTMLButtonElement | null>
  onRemove: () => void
}) {
  const bonus = amount === null ? null : bonusOn(amount, offer)
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">Promo code</p>
      <div className="flex max-w-md items-center gap-3 rounded-md border border-signal-edge/50 bg-signal-soft py-2 pr-2 pl-3.5">
        <TicketPercent aria-hidden className="size-5 shrink-0 text-signal-ink" />
        <p role="status" className="figures min-w-0 flex-1 text-sm">
          <span className="block break-words">{offer.message}</span>
          {bonus !== null && (
            <span className={cx('block font-medium', bonus > 0 ? 'text-signal-ink' : 'text-pending')}>
              {bonus > 0 ? `+${formatMoney(bonus)} on this top-up` : ownMessages.promoTopupTooSmall}
            </span>
          )}
        </p>
        <button
          ref={removeButton}
          type="button"
          aria-label={`Remove promo code ${offer.code}`}
          title="Remove"
          onClick={onRemove}
          className="grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
    </div>
  )
}
