import { messages } from '@trunkline/contract/messages'
import type { Payment } from '@trunkline/contract/payments'
import { useEffect, useState } from 'react'
import { ApiError } from '../../app/api.ts'
import { rereadHistory } from './queries.ts'

type Begun = { payment_url: string; invoice: Payment }

/**
 * Creates an invoice and opens the payment page. Stays busy while the browser leaves, and resets when the page returns
 * from the back/forward cache.
 */
export function useBeginPayment(): {
  isBusy: boolean
  failure: string | null
  forget: () => void
  begin: (ask: () => Promise<Begun>) => Promise<unknown>
} {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  useEffect(() => {
    const woken = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      setBusy(false)
      void rereadHistory()
    }
    addEventListener('pageshow', woken)
    return () => removeEventListener('pageshow', woken)
  }, [])

  /** Returns the error, or undefined when the browser is leaving. */
  async function begin(ask: () => Promise<Begun>): Promise<unknown> {
    setBusy(true)
    setFailure(null)
    try {
      const { payment_url } = await ask()
      if (!isPage(payment_url)) throw new ApiError(messages.invoiceFailed, { status: 502 })
      location.assign(payment_url)
      return undefined
    } catch (error) {
      setBusy(false)
      setFailure(paymentFailure(error))
      // The invoice may exist even if the response was lost.
      void rereadHistory()
      return error
    }
  }

  return { isBusy, failure, forget: () => setFailure(null), begin }
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
