import { createContext, use } from 'react'

/** Opens the phone, optionally with a number or for the echo test. */
type OpenPhone = (wish?: PhoneWish) => void
export type PhoneWish = {
  number?: string
  isEcho?: boolean
  /** For a test call of the customer's own number: what rings, one sentence each. */
  rings?: readonly string[]
}

export const PhoneContext = createContext<OpenPhone>(() => {})

export const useOpenPhone = () => use(PhoneContext)

/** Does this tab ring? */
export type ReceivingStatus = 'receives' | 'quiet' | 'disconnected'

/** Null if the customer does not receive calls in this browser. */
export const PhoneStatusContext = createContext<ReceivingStatus | null>(null)

export const usePhoneStatus = () => use(PhoneStatusContext)

/** Is a call of this tab live? It ends when the browser leaves the page. */
export const HasCallContext = createContext(false)

export const useHasCall = () => use(HasCallContext)

export const receivingWords: Record<ReceivingStatus, string> = {
  receives: 'Receives calls',
  quiet: 'Do not disturb',
  disconnected: 'Not connected',
}
