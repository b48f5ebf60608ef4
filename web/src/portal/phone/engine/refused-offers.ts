import type { RTCSession, TerminateOptions } from 'jssip/lib/RTCSession'

const FIRST_RETRY_MS = 2_000
const MAX_RETRY_MS = 60_000

/**
 * JsSIP ends a call whose re-INVITE was refused. By RFC 3261, section 14.1, the call goes on as before: this keeps it, and offers the
 * same again later, so that a party on hold is not left there. Returns a function that stops the retries.
 */
export function surviveRefusedOffers(session: RTCSession, offerAgain: () => void): () => void {
  const terminate = session.terminate.bind(session)
  let retry: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_RETRY_MS
  session.terminate = (options) => {
    if (!isRefusedOffer(options)) return terminate(options)
    // Otherwise the browser waits for the answer to this offer.
    void session.connection.setLocalDescription({ type: 'rollback' }).catch(() => {})
    clearTimeout(retry)
    retry = setTimeout(offerAgain, waitMs)
    waitMs = Math.min(waitMs * 2, MAX_RETRY_MS)
  }
  return () => clearTimeout(retry)
}

/** The reasons that JsSIP gives in `hold`, `unhold` and `renegotiate`. */
const isRefusedOffer = (options: TerminateOptions | undefined): boolean =>
  ['Hold Failed', 'Unhold Failed', 'Media Renegotiation Failed'].includes(options?.reason_phrase ?? '')
