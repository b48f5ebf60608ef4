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
