import type { Mail } from '../../../platform/mailer.ts'

type ResetMail = { to: string; username: string; link: string; siteName: string; minutes: number }

export const resetMail = ({ to, username, link, siteName, minutes }: ResetMail): Mail => ({
  to,
  subject: `Reset your ${siteName} password`,
  text: `Hello ${username},

we received a request to reset the password of your ${siteName} account.
Open this link within ${minutes} minutes to choose a new password:

${link}

If you did not request this, ignore this email. Your password stays unchanged.
`,
})
