import { Notice } from '../ui/Notice.tsx'
import { SupportContacts } from './support/Support.tsx'

/** What is true as long as no payment provider is connected. */
export function PaymentsAway({ what }: { what: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="info">
        Online payments are not set up on this portal. The provider can {what} for you: please get in touch.
      </Notice>
      <SupportContacts />
    </div>
  )
}
