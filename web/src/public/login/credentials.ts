import { PASSWORD_MIN } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'

export type Credentials = { username: string; password: string }
/** The email address is for sign-up only. */
export type LoginValues = Credentials & { email: string }
export type LoginMode = 'sign-in' | 'sign-up'

/** Existing passwords may be shorter than the minimum, so sign-in does not check the length. */
export function checkCredentials({ username, password }: Credentials, mode: LoginMode): string | null {
  if (username.trim() === '' || password === '') return messages.fillInAllFields
  if (mode === 'sign-up' && password.length < PASSWORD_MIN) return messages.passwordTooShort
  return null
}
