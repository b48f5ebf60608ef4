import { messages, ownMessages } from './messages.ts'

/** All error codes of the API with HTTP status and message. Clients can rely on the codes. */
export const errors = {
  invalid_input: { status: 400, message: ownMessages.invalidInput },
  current_password_incorrect: { status: 400, message: messages.currentPasswordIncorrect },
  email_link_dead: { status: 400, message: ownMessages.emailLinkDead },
  reset_link_dead: { status: 400, message: ownMessages.resetLinkDead },
  invalid_credentials: { status: 401, message: messages.invalidCredentials },
  sign_in_first: { status: 401, message: ownMessages.signInFirst },
  session_expired: { status: 401, message: messages.sessionExpired },
  signature_invalid: { status: 403, message: ownMessages.signatureInvalid },
  insufficient_balance: { status: 402, message: ownMessages.insufficientBalance },
  /** Clients send the password to `POST /api/auth/prove`, then repeat the request. */
  password_needed: { status: 403, message: ownMessages.passwordNeeded },
  admin_only: { status: 403, message: ownMessages.adminOnly },
  premium_only: { status: 403, message: messages.upgradeToSelect },
  archived: { status: 410, message: ownMessages.archived },
  not_found: { status: 404, message: ownMessages.notFound },
  promo_unknown: { status: 404, message: ownMessages.promoUnknown },
  promo_expired: { status: 409, message: ownMessages.promoExpired },
  promo_used_up: { status: 409, message: ownMessages.promoUsedUp },
  promo_already_used: { status: 409, message: ownMessages.promoAlreadyUsed },
  promo_not_for_topup: { status: 409, message: ownMessages.promoNotForTopup },
  promo_topup_too_small: { status: 409, message: ownMessages.promoTopupTooSmall },
  promo_code_taken: { status: 409, message: ownMessages.promoCodeTaken },
  promo_in_use: { status: 409, message: ownMessages.promoInUse },
  already_premium: { status: 409, message: ownMessages.alreadyPremium },
  nothing_paid: { status: 409, message: ownMessages.nothingPaid },
  more_than_was_paid: { status: 409, message: ownMessages.moreThanWasPaid },
  review_resolved: { status: 409, message: ownMessages.reviewResolved },
  review_not_creditable: { status: 409, message: ownMessages.reviewNotCreditable },
  review_needs_user: { status: 409, message: ownMessages.reviewNeedsUser },
  username_taken: { status: 409, message: messages.usernameTaken },
  own_account: { status: 409, message: ownMessages.ownAccount },
  changed_meanwhile: { status: 409, message: ownMessages.changedMeanwhile },
  plan_taken: { status: 409, message: ownMessages.planTaken },
  plan_in_use: { status: 409, message: ownMessages.planInUse },
  trunk_in_call: { status: 409, message: ownMessages.trunkInCall },
  trunk_for_emergencies: { status: 409, message: ownMessages.trunkForEmergencies },
  deck_unreadable: { status: 400, message: ownMessages.deckUnreadable },
  deck_not_planned: { status: 409, message: ownMessages.deckNotPlanned },
  deck_has_faults: { status: 409, message: ownMessages.deckHasFaults },
  invoice_unreadable: { status: 400, message: ownMessages.invoiceUnreadable },
  no_phone: { status: 409, message: ownMessages.noPhone },
  phone_in_use: { status: 409, message: ownMessages.phoneInUse },
  no_switch: { status: 409, message: ownMessages.noSwitch },
  address_refused: { status: 400, message: ownMessages.addressRefused },
  too_many_addresses: { status: 409, message: ownMessages.tooManyAddresses },
  host_taken: { status: 409, message: ownMessages.hostTaken },
  note_of_other: { status: 403, message: ownMessages.noteOfOther },
  too_many_tags: { status: 409, message: ownMessages.tooManyTags },
  canned_reply_taken: { status: 409, message: ownMessages.cannedReplyTaken },
  too_many_canned_replies: { status: 409, message: ownMessages.tooManyCannedReplies },
  template_taken: { status: 409, message: ownMessages.templateTaken },
  too_many_templates: { status: 409, message: ownMessages.tooManyTemplates },
  merge_refused: { status: 409, message: ownMessages.mergeRefused },
  merged_account: { status: 409, message: ownMessages.mergedAccount },
  too_many_users: { status: 409, message: ownMessages.tooManyUsers },
  too_many_prices: { status: 409, message: ownMessages.tooManyPrices },
  prices_not_applied: { status: 409, message: ownMessages.pricesNotApplied },
  number_taken: { status: 409, message: ownMessages.numberTaken },
  number_price_changed: { status: 409, message: ownMessages.numberPriceChanged },
  number_suspended: { status: 409, message: ownMessages.numberSuspended },
  test_call_running: { status: 409, message: ownMessages.testCallRunning },
  test_call_unavailable: { status: 503, message: ownMessages.testCallUnavailable },
  too_many_numbers: { status: 409, message: ownMessages.tooManyNumbers },
  name_taken: { status: 409, message: ownMessages.nameTaken },
  too_many_flows: { status: 409, message: ownMessages.tooManyFlows },
  flow_in_use: { status: 409, message: ownMessages.flowInUse },
  flow_has_problems: { status: 409, message: ownMessages.flowHasProblems },
  sound_invalid: { status: 400, message: ownMessages.soundInvalid },
  sound_in_use: { status: 409, message: ownMessages.soundInUse },
  too_many_sounds: { status: 409, message: ownMessages.tooManySounds },
  range_invalid: { status: 416, message: ownMessages.rangeInvalid },
  sound_unavailable: { status: 503, message: ownMessages.soundUnavailable },
  recording_not_allowed: { status: 403, message: ownMessages.recordingNotAllowed },
  email_unverified: { status: 409, message: ownMessages.emailUnverified },
  speech_unavailable: { status: 503, message: ownMessages.speechUnavailable },
  number_exists: { status: 409, message: ownMessages.numberExists },
  number_rented: { status: 409, message: ownMessages.numberRented },
  too_many_views: { status: 409, message: ownMessages.tooManyViews },
  ticket_closed: { status: 409, message: ownMessages.ticketClosed },
  key_conflict: { status: 409, message: ownMessages.keyConflict },
  body_too_large: { status: 413, message: ownMessages.bodyTooLarge },
  too_many_logins: { status: 429, message: messages.tooManyLogins },
  too_many_requests: { status: 429, message: ownMessages.tooManyRequests },
  server_error: { status: 500, message: ownMessages.serverError },
  /** The provider refused: 'Payment error: {error}'. */
  payment_refused: { status: 502, message: messages.invoiceFailed },
  /** No valid answer from the provider. The reconciler finds out later whether an invoice exists. */
  payment_not_begun: { status: 502, message: messages.paymentInitiationFailed },
  unavailable: { status: 503, message: ownMessages.unavailable },
} as const

export type ErrorCode = keyof typeof errors

export type FieldFault = { field: string; message: string }

/** An error that is part of the API. All other exceptions are bugs and answer server_error. */
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

/** The common error answer. `message` is also at the top level, where clients of the specification read it. */
export type ErrorAnswer = {
  error: { code: ErrorCode; message: string; fields?: FieldFault[] }
  message: string
  request_id: string
}
