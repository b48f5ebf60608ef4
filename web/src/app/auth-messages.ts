import { messages } from '@trunkline/contract/messages'
import { ApiError, explain } from './api.ts'

/** Messages of section 8 of the specification. */

export function loginFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.unexpected
  if (error.unreachable) return messages.cannotConnect
  if (error.status === 401) return messages.invalidCredentials
  if (error.status === 429) return messages.tooManyLogins
  return explain(error, messages.loginFailed)
}

export function registrationFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.unexpected
  if (error.unreachable) return messages.cannotConnect
  if (error.message.includes('already exists')) return messages.usernameTaken
  return explain(error, messages.registrationFailed)
}

export function changePasswordFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.unexpected
  // A 400 with a field concerns the new password, not the current one.
  if (error.status === 400 && error.code !== 'invalid_input') return messages.currentPasswordIncorrect
  return explain(error, messages.changePasswordFailed)
}
