import { PASSWORD_MIN } from '@trunkline/contract/limits'
import { messages } from '@trunkline/contract/messages'

export type Credentials = { username: string; password: string }
export type LoginMode = 'sign-in' | 'sign-up'

/** Section 5 of the specification. The length of a password is asked for when it is made, not when it is used. */
export function faultIn({ username, password }: Credentials, mode: LoginMode): string | null {
  if (username.trim() === '' || password === '') return messages.fillInAllFields
  if (mode === 'sign-up' && password.length < PASSWORD_MIN) return messages.passwordTooShort
  return null
}
