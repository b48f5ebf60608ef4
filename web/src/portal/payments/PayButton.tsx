import type { ComponentProps } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PaymentPageLink } from './PaymentPageLink.tsx'

type PayButtonProps = Omit<ComponentProps<typeof Button>, 'busy'> & {
  isBusy: boolean
  failure: string | null
  /** The payment page, while a call keeps this one open. */
  page: string | null
}

/** Starts a payment, and shows below why it failed, or the link to the payment page. */
export const PayButton = ({ isBusy, failure, page, children, ...rest }: PayButtonProps) => (
  <>
    <Button {...rest} variant="primary" size="lg" busy={isBusy} className="mt-auto w-full">
      {isBusy ? 'Processing...' : children}
    </Button>
    {failure && (
      <Notice tone="danger" className="mt-3">
        {failure}
      </Notice>
    )}
    {page && (
      <Notice tone="info" className="mt-3">
        <p className="mb-3">Your call stays on this page. Pay in a new tab.</p>
        <PaymentPageLink address={page}>Open payment page</PaymentPageLink>
      </Notice>
    )}
  </>
)
