/**
 * Every sentence of the specification that a person reads, in one place and free of zod, so that the
 * browser can show them without loading a validator. Server errors are in errors.ts and take their
 * texts from here.
 */
export const messages = {
  fillInAllFields: 'Please fill in all fields',
  passwordTooShort: 'Password must be at least 8 characters long',
  invalidCredentials: 'Invalid username or password',
  tooManyLogins: 'Too many login attempts. Please try again later.',
  cannotConnect: 'Unable to connect to server. Please check your internet connection.',
  loginFailed: 'Login failed. Please try again.',
  unexpected: 'An unexpected error occurred. Please try again.',
  usernameTaken: 'An account with this username already exists',
  registrationFailed: 'Registration failed. Please try again.',
  sessionExpired: 'Session expired. Please login again.',
  currentPasswordIncorrect: 'Current password is incorrect',
  changePasswordFailed: 'Failed to change password',
  resetMailFailed: 'Failed to send reset email',
  resetPasswordFailed: 'Failed to reset password',
  currentUserFailed: 'Failed to get current user',

  selectAmount: 'Please select or enter an amount.',
  topUpFailed: 'Failed to process top-up',
  paymentError: 'Payment error: {error}',
  invoiceFailed: 'Failed to create payment invoice. Try again.',
  paymentInitiationFailed: 'Payment initiation failed. Please try again.',

  checkingAdmin: 'Checking admin access...',
  pleaseWait: 'Please wait...',
  somethingWentWrong: 'Something went wrong',
  refreshPage: 'Refresh Page',
} as const

/** Sentences of our own, where the specification is silent. */
export const ownMessages = {
  registered: 'Account created. You can sign in now.',
  passwordChanged: 'Your password has been changed.',
  resetMailSent: 'If an account uses that address, a message with a reset link is on its way.',
  passwordReset: 'Your password has been reset. You can sign in now.',
  resetLinkDead: 'This reset link has expired or was used already. Please ask for a new one.',
  usernameCharacters:
    'Usernames are up to 64 letters, digits and . _ - @ + characters, starting with a letter or digit',
  passwordTooLong: 'Password must be at most 256 characters long',
  emailInvalid: 'Please enter a valid email address',
  contactNameMissing: 'Please enter your full name',
  contactMessageMissing: 'Please enter a message',
  phoneInvalid: 'Please enter a valid phone number',
  contactReceived: 'Thank you. Your message has reached us and we will answer by email.',
  contactFailed: 'Your message could not be sent. Nothing was lost: please try again.',
  amountTooLarge: 'Please enter an amount of at most $10000.',
  amountInvalid: 'Please enter an amount in dollars.',
  wholeCents: 'Please enter an amount in dollars and whole cents.',
  reasonMissing: 'Please say why.',
  referenceMissing: 'Please give the reference of the transfer.',
  alreadyPremium: 'You are a premium user already.',
  paymentUnderWay: 'You have begun many payments. Please pay one of them or wait a while.',
  paymentNotFound: 'There is no such payment.',
  signatureInvalid: 'The signature does not fit the body.',
  nothingPaid: 'Nothing was paid here that could be refunded.',
  moreThanWasPaid: 'That is more than was paid.',
  reviewResolved: 'This has been resolved already.',
  reviewNotCreditable: 'There is nothing to credit here. Refund the payment, then ignore this with a reason.',
  reviewNeedsUser: 'Please choose the customer whose money this is.',
  promoCodeMissing: 'Please enter a promo code.',
  promoCodeCharacters: 'Promo codes are up to 40 letters, digits, - and _ characters.',
  promoValue: 'A percentage is at most 100, an amount at most $10000, both with at most two decimals.',
  promoUnknown: 'This promo code does not exist.',
  promoExpired: 'This promo code has expired.',
  promoUsedUp: 'This promo code has been used up.',
  promoAlreadyUsed: 'You have used this promo code already.',
  promoNotForTopup: 'This promo code is not for top-ups. Redeem it instead.',
  promoTopupTooSmall: 'This promo code needs a larger top-up.',
  promoCodeTaken: 'This promo code exists already.',
  promoInUse: 'This promo code has been used. Make it inactive instead.',
  promoDeleted: 'The promo code was deleted.',
  insufficientBalance:
    'The available balance does not cover this. Money held for live calls cannot be spent.',
  keyConflict: 'This was already done once with other details. Nothing was changed.',
  tooManyRequests: 'Too many requests. Please try again later.',
  adminOnly: 'This needs an administrator account.',
  signInFirst: 'Please sign in first.',
  notFound: 'There is nothing at this address.',
  invalidInput: 'Some of the input is not valid.',
  bodyTooLarge: 'The request is too large.',
  serverError: 'Something went wrong on our side. Please try again.',
  unavailable: 'The service is not available right now. Please try again shortly.',
} as const

export const keepUnder = (max: number): string => `Please keep this under ${max} characters`

/** The specification's sentences with a blank in them. */
export const paymentError = (error: string): string => messages.paymentError.replace('{error}', () => error)
