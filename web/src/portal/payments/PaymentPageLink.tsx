import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/Button.tsx'
import { useHasCall } from '../phone/phone-context.ts'

/** During a call of this tab, the payment page opens in a new one: leaving the page ends the call. */
export function PaymentPageLink({ address, children }: { address: string; children: ReactNode }) {
  const hasCall = useHasCall()
  return (
    <a
      href={address}
      target={hasCall ? '_blank' : undefined}
      rel={hasCall ? 'noopener' : undefined}
      className={buttonClass({ size: 'sm' })}
    >
      {children}
      {hasCall && <span className="sr-only"> (opens a new tab)</span>}
    </a>
  )
}
