import { createContext, use } from 'react'

/** What is known of the phone before it is loaded: how to open it, perhaps with a number or for the echo. */
type OpenPhone = (wish?: PhoneWish) => void
export type PhoneWish = { number?: string; isEcho?: boolean }

export const PhoneContext = createContext<OpenPhone>(() => {})

export const useOpenPhone = () => use(PhoneContext)
