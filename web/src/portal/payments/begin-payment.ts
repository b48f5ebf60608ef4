import { messages } from '@trunkline/contract/messages'
import type { Payment } from '@trunkline/contract/payments'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../app/api.ts'
import { useHasCall } from '../phone/phone-context.ts'
import { rereadHistory } from './queries.ts'

type Begun = { payment_url: string; invoice: Payment }

/** A page that is still there after this time stays, for example because the user kept it open when asked. */
const LEAVING_MS = 5_000

/**
 * Creates an invoice and opens the payment page. Stays busy while the browser leaves, and resets when the page stays or
 * returns from the back/forward cache. During a call of this tab, the address is returned instead: the user opens it in a
 * new tab, because browsers block tabs that open by themselves.
 */
export function useBeginPayment(): {
  isBusy: boolean
  failure: string | null
  /** The payment page that waits for a click. */
  page: string | null
  forget: () => void
  begin: (ask: () => Promise<Begun>) => Promise<unknown>
} {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [page, setPage] = useState<string | null>(null)
  const staying = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A call can begin or end while the invoice is created.
  const hasCall = useRef(false)
  hasCall.current = useHasCall()

  useEffect(() => () => clearTimeout(staying.current), [])
  useEffect(() => {
    const woken = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      clearTimeout(staying.current)
      setBusy(false)
      void rereadHistory()
    }
    addEventListener('pageshow', woken)
    return () => removeEventListener('pageshow', woken)
  }, [])

  function forget() {
    setFailure(null)
    setPage(null)
  }

  /** Returns the error, or undefined without one. */
  async function begin(ask: () => Promise<Begun>): Promise<unknown> {
    // The timer of an earlier attempt must not release this one.
    clearTimeout(staying.current)
    setBusy(true)
    forget()
    try {
      const { payment_url } = await ask()
      if (!isPage(payment_url)) throw new ApiError(messages.invoiceFailed, { status: 502 })
      if (hasCall.current) {
        setPage(payment_url)
        setBusy(false)
        void rereadHistory()
        return undefined
      }
      location.assign(payment_url)
      staying.current = setTimeout(() => {
        setBusy(false)
        void rereadHistory()
      }, LEAVING_MS)
      return undefined
    } catch (error) {
      setBusy(false)
      setFailure(paymentFailure(error))
      // The invoice may exist even if the response was lost.
      void rereadHistory()
      return error
    }
  }

  return { isBusy, failure, page, forget, begin }
}

/** Section 8 of the specification: the message of the server, or the general one. */
export function paymentFailure(error: unknown): string {
  if (!(error instanceof ApiError) || error.unreachable) return messages.paymentInitiationFailed
  return error.fields[0]?.message || error.message || messages.paymentInitiationFailed
}

/** Rejects `javascript:` URLs. */
function isPage(address: unknown): address is string {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  return ['https:', 'http:'].includes(new URL(address).protocol)
}
