import { Phone } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import { receivingWords, useOpenPhone, usePhoneStatus } from './phone-context.ts'

const dots = { receives: 'bg-signal-edge', quiet: 'border-edge bg-ground', disconnected: 'bg-danger' }

export function PhoneButton() {
  const open = useOpenPhone()
  const status = usePhoneStatus()
  return (
    <button
      type="button"
      aria-label={status ? `Phone: ${receivingWords[status]}` : 'Phone'}
      title={`Phone: ${status ? receivingWords[status] : 'call from the browser'}`}
      onClick={() => open()}
      className="relative grid size-9 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-ink/6 hover:text-ink"
    >
      <Phone aria-hidden className="size-4.5" />
      {status && (
        <span
          aria-hidden
          className={cx(
            'absolute right-1.5 bottom-1.5 size-2 rounded-full border border-transparent',
            dots[status],
          )}
        />
      )}
    </button>
  )
}
