import { createContext, use } from 'react'

/** Opens the phone, optionally with a number or for the echo test. */
type OpenPhone = (wish?: PhoneWish) => void
export type PhoneWish = { number?: string; isEcho?: boolean }

export const PhoneContext = createContext<OpenPhone>(() => {})

export const useOpenPhone = () => use(PhoneContext)
