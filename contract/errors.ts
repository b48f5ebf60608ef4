import { messages, ownMessages } from './messages.ts'

/** The closed list of what can go wrong: the code clients may rely on, its HTTP status and its words. */
export const errors = {
  invalid_input: { status: 400, message: ownMessages.invalidInput },
  current_password_incorrect: { status: 400, message: messages.currentPasswordIncorrect },
  reset_link_dead: { status: 400, message: ownMessages.resetLinkDead },
  invalid_credentials: { status: 401, message: messages.invalidCredentials },
  sign_in_first: { status: 401, message: ownMessages.signInFirst },
  session_expired: { status: 401, message: messages.sessionExpired },
  admin_only: { status: 403, message: ownMessages.adminOnly },
  not_found: { status: 404, message: ownMessages.notFound },
  username_taken: { status: 409, message: messages.usernameTaken },
  body_too_large: { status: 413, message: ownMessages.bodyTooLarge },
  too_many_logins: { status: 429, message: messages.tooManyLogins },
  too_many_requests: { status: 429, message: ownMessages.tooManyRequests },
  server_error: { status: 500, message: ownMessages.serverError },
  unavailable: { status: 503, message: ownMessages.unavailable },
} as const

export type ErrorCode = keyof typeof errors

export type FieldFault = { field: string; message: string }

/** A refusal that is part of the contract. Anything else that is thrown is a bug and answers server_error. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: FieldFault[]

  constructor(code: ErrorCode, message: string = errors[code].message, fields: FieldFault[] = []) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.status = errors[code].status
    this.fields = fields
  }
}

/** The one error shape on the wire; `message` stands at the top as well because clients read it there. */
export type ErrorAnswer = {
  error: { code: ErrorCode; message: string; fields?: FieldFault[] }
  message: string
  request_id: string
}
