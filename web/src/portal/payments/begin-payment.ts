import { messages } from '@trunkline/contract/messages'
import type { Payment } from '@trunkline/contract/payments'
import { useEffect, useState } from 'react'
import { ApiError } from '../../app/api.ts'
import { rereadHistory } from './queries.ts'

type Begun = { payment_url: string; invoice: Payment }

/**
 * Begins a payment and sends the browser to the provider's page. It stays busy while the browser leaves, and is ready
 * again when somebody comes back by the back button to a page that was only put to sleep.
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

  /** Answers what went wrong, or undefined once the browser is on its way. */
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
      // An invoice may stand all the same: an answer that never came says nothing about it.
      void rereadHistory()
      return error
    }
  }

  return { isBusy, failure, forget: () => setFailure(null), begin }
}

/** Section 8 of the specification: the server's own words, else the general ones. */
export function paymentFailure(error: unknown): string {
  if (!(error instanceof ApiError) || error.unreachable) return messages.paymentInitiationFailed
  return error.fields[0]?.message || error.message || messages.paymentInitiationFailed
}

/** The browser is sent to a page only, never to a `javascript:` address, whoever wrote it. */
function isPage(address: unknown): address is string {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  return ['https:', 'http:'].includes(new URL(address).protocol)
}
