import type { ComponentProps } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

type PayButtonProps = Omit<ComponentProps<typeof Button>, 'busy'> & {
  isBusy: boolean
  failure: string | null
}

/** Starts a payment, and shows below why it failed. */
export const PayButton = ({ isBusy, failure, children, ...rest }: PayButtonProps) => (
  <>
    <Button {...rest} variant="primary" size="lg" busy={isBusy} className="mt-auto w-full">
      {isBusy ? 'Processing...' : children}
    </Button>
    {failure && (
      <Notice tone="danger" className="mt-3">
        {failure}
      </Notice>
    )}
  </>
)
