import { Phone } from 'lucide-react'
import { useOpenPhone } from './phone-context.ts'

export function PhoneButton() {
  const open = useOpenPhone()
  return (
    <button
      type="button"
      aria-label="Phone"
      title="Phone: call from the browser"
      onClick={() => open()}
      className="grid size-9 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-ink/6 hover:text-ink"
    >
      <Phone aria-hidden className="size-4.5" />
    </button>
  )
}
