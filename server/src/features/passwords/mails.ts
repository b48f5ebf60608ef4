import type { Mail } from '../../platform/mailer.ts'

type ResetMail = { to: string; username: string; link: string; siteName: string; minutes: number }

export const resetMail = ({ to, username, link, siteName, minutes }: ResetMail): Mail => ({
  to,
  subject: `Reset your ${siteName} password`,
  text: `Hello ${username},

somebody, probably you, asked to reset the password of your ${siteName} account.
Open this link within ${minutes} minutes to choose a new one:

${link}

If it was not you, ignore this message: your password stays as it is.
`,
})

type NoticeMail = { to: string; username: string; siteName: string; publicUrl: string; at: Date }

/** Whoever took an account over changes its password first; the owner learns it here. */
export const passwordChangedMail = ({ to, username, siteName, publicUrl, at }: NoticeMail): Mail => ({
  to,
  subject: `Your ${siteName} password was changed`,
  text: `Hello ${username},

the password of your ${siteName} account was changed at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC. All other devices are signed out.

If it was you, there is nothing to do.

If it was not, somebody else is in your account. Set a new password at once, which signs them out:

${publicUrl}/forgot-password

Then make a new SIP password, look at your call records, and tell our support.
`,
})
