import { formatPhoneNumber } from '../../../common/format/phone-numbers.ts'

export type Caller = {
  /** With a plus sign if it is international. Null if the caller hides it. */
  number: string | null
  name: string | null
  /** The number of the customer that was called. */
  called: string | null
}

/** The parts of an INVITE that name the caller. */
type Given = {
  user: string | undefined
  host: string
  name: string | undefined
  privacy: string | undefined
  to: string | undefined
}

const MAX_NAME = 60

export function readCaller({ user = '', host, name = '', privacy = '', to = '' }: Given): Caller {
  const called = /^\+?[1-9]\d{6,14}$/.test(to) ? `+${to.replace('+', '')}` : null
  const isHidden =
    /\b(id|user|full)\b/i.test(privacy) ||
    /^(anonymous|unknown|restricted|)$/i.test(user) ||
    host === 'anonymous.invalid'
  if (isHidden) return { number: null, name: null, called }
  const digits = decoded(user).replace(/[^0-9+*#]/g, '')
  const number = /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : digits || decoded(user)
  const shown = [...name].filter(isPrintable).join('').trim().slice(0, MAX_NAME)
  // Some carriers repeat the number as the name.
  const isNumber = shown.replace(/[^0-9]/g, '') === number.replace(/[^0-9]/g, '')
  return { number, name: shown && !isNumber && !/^anonymous$/i.test(shown) ? shown : null, called }
}

const isPrintable = (char: string): boolean =>
  char >= ' ' && !/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(char)

function decoded(user: string): string {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

export const WITHHELD = 'Withheld number'

/** One line for titles, notifications and announcements. */
export const wordsOfCaller = ({ number, name }: Pick<Caller, 'number' | 'name'>): string => {
  const shown = number === null ? WITHHELD : formatPhoneNumber(number)
  return name ? `${name}, ${shown}` : shown
}

/** Why a ringing call stopped, from the Reason header of the CANCEL (RFC 3326). */
export const isAnsweredElsewhere = (reason: string | undefined): boolean =>
  reason !== undefined && /\bcause\s*=\s*200\b/i.test(reason)
