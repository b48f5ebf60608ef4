import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import { dismissToast, shownToasts, subscribeToToasts, type ToastMessage } from './toast.ts'

export { toast } from './toast.ts'

/** Errors stay longer. */
const lifetimes = { success: 6_000, info: 6_000, error: 10_000 }

const signs = {
  success: { icon: CircleCheck, look: 'text-success' },
  error: { icon: CircleAlert, look: 'text-danger' },
  info: { icon: Info, look: 'text-muted' },
}

export function Toaster() {
  const messages = useSyncExternalStore(subscribeToToasts, shownToasts)
  return (
    // An open dialog hides everything except live regions from screen readers.
    <div
      aria-live="off"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96"
    >
      {messages.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  )
}

function Toast({ message }: { message: ToastMessage }) {
  const [isHeld, setHeld] = useState(false)
  const { icon: Icon, look } = signs[message.tone]

  // The timer stops on hover and focus, and restarts afterwards.
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismissToast(message.id), lifetimes[message.tone])
    return () => clearTimeout(timer)
  }, [isHeld, message])

  return (
    <div
      role="alert"
      data-toast
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full animate-rise items-start gap-3 rounded-lg border bg-raised py-2.5 pr-2 pl-3.5 text-ink shadow-far"
    >
      <Icon aria-hidden className={cx('mt-1 size-4 shrink-0', look)} />
      <p className="min-w-0 flex-1 whitespace-pre-line break-words py-0.5 text-sm">{message.text}</p>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismissToast(message.id)}
        className="grid size-7 shrink-0 place-items-center rounded-sm text-muted hover:bg-ink/6 hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}
